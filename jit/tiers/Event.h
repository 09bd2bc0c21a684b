//===- Event.h - something that happened to a kernel ----------------------------------------------------===//
//
// What: one event of a variant, as a sentence with its facts, and the list of a variant's events. Limits: a
// list keeps its last checks only; what changed the variant's state stays.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_EVENT_H
#define TRISECT_JIT_TIERS_EVENT_H

#include "core/support/ForkGate.h"
#include "jit/check/Verdict.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::jit {

struct Event {
  enum class Kind : uint8_t { Compiled, Loaded, Promoted, Kept, Withdrawn, Checked };
  Kind kind;
  std::string tier;
  std::string text; ///< one sentence
  std::optional<Verdict> verdict;
  double milliseconds = 0; ///< of a compile, or of loading
  int64_t number = 0;      ///< in the order in which they happened in this process
};

/// `compiled`, `loaded`, `promoted`, `kept`, `withdrawn`, `checked`.
std::string_view eventKindName(Event::Kind kind);

/// What happened to one variant. Many checks of one kind leave their last few.
class EventLog {
public:
  void add(Event event);
  std::vector<Event> events() const;

private:
  static constexpr size_t mostEvents = 1000;
  mutable ForkMutex lock;
  std::vector<Event> log;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_EVENT_H
