//===- Question.h - what a launch is asked about its pointers -------------------------------------------===//
//
// What: whether two ranges that a program touches overlap, where their distance is that of two pointer
// arguments and a constant. Why: the launch knows the answer for all programs; asking in the kernel is twenty
// instructions in every thread. Limits: one answer for all questions of a kernel.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_QUESTION_H
#define TRISECT_BACKENDS_CUDA_EMIT_QUESTION_H

#include <algorithm>
#include <cstdint>
#include <span>

namespace trisect::cuda {

struct OverlapQuestion {
  uint32_t earlier = 0, later = 0; ///< arguments of the kernel
  int64_t ahead = 0;               ///< bytes from the argument to the range, of the earlier less the later
  int64_t earlierBytes = 0, laterBytes = 0;
  uint32_t drop = 0;        ///< upper bits of a distance that do not count: offsets wrap
  bool sameIfEqual = false; ///< at distance 0 each thread touches what it touched before

  bool operator==(const OverlapQuestion &) const = default;
  uint64_t shifted(uint64_t bytes) const { return bytes << drop; }
  bool overlap(uint64_t earlierAddress, uint64_t laterAddress) const {
    uint64_t distance = earlierAddress - laterAddress + static_cast<uint64_t>(ahead);
    if (sameIfEqual && distance == 0)
      return false;
    return shifted(distance + static_cast<uint64_t>(earlierBytes) - 1) <
           shifted(static_cast<uint64_t>(earlierBytes + laterBytes) - 1);
  }
};

/// Whether the answer to all questions is no.
inline bool areApart(std::span<const OverlapQuestion> questions, std::span<const uint64_t> arguments) {
  return std::ranges::none_of(questions, [&](const OverlapQuestion &each) {
    return each.overlap(arguments[each.earlier], arguments[each.later]);
  });
}

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_QUESTION_H
