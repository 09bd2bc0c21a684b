//===- Policy.h - which tier runs a kernel, and when it is promoted -------------------------------------===//
//
// What: TRISECT_TIER and TRISECT_CHECK, read, and the rule that turns launches and time in tier 0 into a
// promotion.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_POLICY_H
#define TRISECT_JIT_TIERS_POLICY_H

#include <cstdint>
#include <string_view>

namespace trisect::jit {

struct Policy {
  enum class Check : uint8_t { Off, Promote, Sample, Always };

  std::string_view tier = "auto"; ///< auto, or the one that must run; the text of an option
  Check check = Check::Promote;
  int64_t sampleEvery = 0;         ///< Sample: one launch in so many is compared
  int64_t launches = 2;            ///< in tier 0 before a promotion
  int64_t nanoseconds = 2'000'000; ///< or so much time
  bool foreground = false;         ///< compile and compare at once: somebody is timing

  /// What the environment says at an optionEpoch() that was asked just now; throws InvalidInput on a bad
  /// value.
  static Policy fromEnvironment(uint64_t now);

  bool promotes() const { return tier == "auto"; }
  bool isHot(int64_t launchesSoFar, int64_t nanosecondsSoFar) const {
    return foreground || launchesSoFar >= launches || nanosecondsSoFar >= nanoseconds;
  }
  /// Whether launch number `number` of a compiled form is compared, whatever is known of it.
  bool checks(int64_t number) const;
};

/// While one exists on a thread, the launches of that thread are promoted before they run.
class Foreground {
public:
  Foreground() { begin(); }
  ~Foreground() { end(); }
  Foreground(const Foreground &) = delete;
  Foreground &operator=(const Foreground &) = delete;
  static bool active() { return depth > 0; }
  static void begin() { ++depth; }
  static void end() { --depth; }

private:
  static thread_local int depth;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_POLICY_H
