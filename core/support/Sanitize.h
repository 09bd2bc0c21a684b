//===- Sanitize.h - which defects a launch looks for ----------------------------------------------------===//
//
// What: the kinds that shadow mode looks for and what it does at a defect; the settings in force for this
// process (a call, else TRISECT_SANITIZE); the log of what launches collected. Why: Python, the facade and
// tier 0 speak of the same thing. Limits: the settings and the log are those of the process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_SANITIZE_H
#define TRISECT_CORE_SUPPORT_SANITIZE_H

#include "core/support/Finding.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect {

struct SanitizeOptions {
  uint32_t kinds = 0; ///< bit of each FaultKind
  /// 0: the first defect ends the launch as a KernelFault. N: the launch goes on, the faulty access is
  /// dropped, and up to N distinct ones (by kind and line) are logged with counts.
  int collect = 0;

  bool has(FaultKind kind) const { return kinds >> static_cast<unsigned>(kind) & 1; }
  void add(FaultKind kind) { kinds |= uint32_t(1) << static_cast<unsigned>(kind); }
  /// False: direct mode. Asserts and deadlocks are always found.
  bool active() const {
    constexpr uint32_t always =
        uint32_t(1) << unsigned(FaultKind::Assert) | uint32_t(1) << unsigned(FaultKind::Deadlock);
    return kinds & ~always;
  }

  /// From the value of TRISECT_SANITIZE: `off`, `on`, `all` or kinds joined by commas. `on` has every kind
  /// but redundant-store and nan-origin, `all` every kind but nan-origin. Throws InvalidInput.
  static SanitizeOptions parse(std::string_view text, int collect = 0);
};

/// What holds for launches that do not say otherwise.
SanitizeOptions currentSanitize();
/// The same at an optionEpoch() that was asked just now.
SanitizeOptions currentSanitize(uint64_t now);
/// Overrides TRISECT_SANITIZE in this process; without options the environment counts again.
void setSanitize(std::optional<SanitizeOptions> options);

/// Adds what a launch collected to the log of the process.
void logFindings(std::vector<Finding> findings);
/// The log since the last call, which empties it.
std::vector<Finding> takeFindings();

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_SANITIZE_H
