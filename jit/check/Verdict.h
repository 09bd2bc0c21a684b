//===- Verdict.h - what a comparison of two tiers found -------------------------------------------------===//
//
// What: the outcome of one comparison of a compiled launch with tier 0, and its first differing element.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_VERDICT_H
#define TRISECT_JIT_CHECK_VERDICT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trisect::jit {

enum class VerdictKind : uint8_t {
  Equal,        ///< every compared byte is the same
  Different,    ///< a difference that the kernel's semantics do not allow
  Inconclusive, ///< the difference, or its absence, proves nothing: see the reason
};

/// The first element that differs.
struct Difference {
  std::string tensor; ///< the parameter's name; empty if no passed view holds the address
  std::vector<int64_t> index;
  uint64_t address = 0;
  int64_t program = 0;         ///< linear id of the program that wrote it in tier 0
  std::string expected;        ///< tier 0's value
  std::string found;           ///< the other tier's
  std::optional<uint64_t> ulp; ///< of finite floats

  /// `out[3, 5]: tier 0 has 1.5, cpu has 2.5 (...)`.
  std::string describe(const std::string &tier) const;
};

struct Verdict {
  VerdictKind kind = VerdictKind::Inconclusive;
  std::string reason; ///< of Inconclusive
  int64_t programs = 0;
  int64_t bytes = 0;     ///< compared
  int64_t differing = 0; ///< elements
  int64_t notByUlp = 0;  ///< of those, integers and floats of different class
  std::optional<uint64_t> largestUlp;
  std::optional<Difference> first;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_VERDICT_H
