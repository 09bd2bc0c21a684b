//===- Verdict.h - what a comparison of two tiers found -------------------------------------------------===//
//
// What: the outcome of one comparison of compiled code with tier 0, and its first differing element.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_VERDICT_H
#define TRISECT_JIT_CHECK_VERDICT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::jit {

enum class VerdictKind : uint8_t {
  Equal,        ///< every compared byte is the same
  Within,       ///< what differs is as right as tier 0's value
  Different,    ///< a difference that the kernel's semantics do not allow
  Inconclusive, ///< the difference, or its absence, proves nothing: see the reason
};

/// `equal`, `within bound`, `different`, `inconclusive`.
std::string_view verdictName(VerdictKind kind);

/// The first element that differs.
struct Difference {
  std::string tensor; ///< the parameter's name; empty if no passed view holds the address
  std::vector<int64_t> index;
  uint64_t address = 0;
  bool stray = false;          ///< tier 0 does not write there
  int64_t program = 0;         ///< linear id
  std::string expected;        ///< tier 0's value, or the one that it leaves
  std::string found;           ///< the other tier's
  std::optional<uint64_t> ulp; ///< of finite floats

  /// `out[3, 5]: tier 0 has 1.5, cpu has 2.5 (...)`.
  std::string describe(const std::string &tier) const;
};

struct Verdict {
  VerdictKind kind = VerdictKind::Inconclusive;
  std::string reason;       ///< of Inconclusive; of Different, a fault of the compiled form
  bool transient = false;   ///< Inconclusive: the next launch may tell more
  bool noReference = false; ///< Inconclusive: tier 0 cannot run the kernel
  bool blind = false;       ///< Inconclusive: the launch did not say what tensors there are
  bool silent = false;      ///< Inconclusive: the programs wrote nothing
  int64_t programs = 0;
  int64_t bytes = 0;                  ///< that tier 0 wrote
  int64_t differing = 0;              ///< elements
  int64_t strays = 0;                 ///< of those, where tier 0 did not write
  int64_t within = 0;                 ///< elements that are not tier 0's and as right
  int64_t doubtful = 0;               ///< bytes of elements that differ where nothing can be said; left out
  std::optional<uint64_t> largestUlp; ///< of those within
  double worst = 0;                   ///< of those within: the share of its bound that an element uses
  std::optional<Difference> first;

  /// Whether the compiled form may run.
  bool good() const { return kind == VerdictKind::Equal || kind == VerdictKind::Within; }
  /// `equal, 4 programs, 4000 bytes compared`.
  std::string describe(const std::string &tier) const;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_VERDICT_H
