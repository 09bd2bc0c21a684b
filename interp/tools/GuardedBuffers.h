//===- GuardedBuffers.h - memory for arguments, with nothing around it ----------------------------------===//
//
// What: numbered buffers at addresses that stay the same while the process runs, each with unmapped memory
// around it. Why: a run can be repeated on the same addresses, so that also kernels that
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
  static constexpr size_t mostBytes = size_t(64) << 20;

  GuardedBuffers() = default;
  GuardedBuffers(const GuardedBuffers &) = delete;
  GuardedBuffers &operator=(const GuardedBuffers &) = delete;
  ~GuardedBuffers();

  /// Buffer `n` of `bytes`, a multiple of a page and at most mostBytes.
  uint8_t *get(size_t n, size_t bytes);

private:
  struct Room {
    uint8_t *buffer;
    size_t bytes;
  };
  std::vector<Room> rooms;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_GUARDEDBUFFERS_H
