//===- GuardedBuffers.h - memory for arguments, with nothing around it ----------------------------------===//
//
// What: numbered buffers of one size at addresses that stay the same while the process runs, each with
// unmapped memory around it. Why: a run can be repeated on the same addresses, so that also kernels that
// compute with them give the same bytes, and an access that leaves its buffer is a report instead of a write
// to something else. Limits: an access that leaves by more than the room between is not held up here.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_GUARDEDBUFFERS_H
#define TRISECT_INTERP_TOOLS_GUARDEDBUFFERS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trisect::tools {

class GuardedBuffers {
public:
  static constexpr size_t bytes = size_t(1) << 20;

  GuardedBuffers() = default;
  GuardedBuffers(const GuardedBuffers &) = delete;
  GuardedBuffers &operator=(const GuardedBuffers &) = delete;
  ~GuardedBuffers();

  /// Buffer `n`; made when first asked for.
  uint8_t *operator[](size_t n);

private:
  std::vector<void *> rooms;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_GUARDEDBUFFERS_H
