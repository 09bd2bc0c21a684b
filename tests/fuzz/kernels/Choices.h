//===- Choices.h - the random choices that make a kernel ------------------------------------------------===//
//
// What: a stream of numbers, drawn from a seed or replayed from a list; what was taken can be read back. Why:
// a kernel is a function of its choices. So a smaller kernel is made of a smaller list, and every list,
// however it was cut, makes a kernel that is valid and defined: shrinking needs no knowledge of kernels.
// Limits: zero is always the simplest choice; a replayed list that has come to its end goes on with zeros.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_CHOICES_H
#define TRISECT_TESTS_FUZZ_KERNELS_CHOICES_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <random>
#include <vector>

namespace trisect::fuzz {

class Choices {
public:
  explicit Choices(uint64_t seed) : generator(seed) {}
  explicit Choices(std::vector<uint32_t> replayed) : list(std::move(replayed)) {}

  /// A number below `bound`, which is at least 1.
  uint32_t below(uint32_t bound);
  /// A number from `low` to `high`; `low` is the simplest.
  int64_t from(int64_t low, int64_t high) { return low + below(static_cast<uint32_t>(high - low + 1)); }
  /// True in so many cases of a hundred.
  bool chance(uint32_t percent) { return below(100) >= 100 - percent; }
  template <class T> T pick(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<uint32_t>(all.size()))];
  }
  template <class Range> const auto &pick(const Range &all) {
    return std::begin(all)[below(static_cast<uint32_t>(std::size(all)))];
  }

  const std::vector<uint32_t> &taken() const { return record; }

private:
  std::optional<std::mt19937_64> generator; ///< none: the list is replayed
  std::vector<uint32_t> list, record;
};

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_CHOICES_H
