//===- SyncLog.h - which program ran after which --------------------------------------------------------===//
//
// What: the releases and acquires of all programs in the order in which they took effect, and the question
// whether what one program did before is ordered before what another does now. Why: a pair of accesses is a
// race only if no chain of atomics orders it; most launches never ask, so the chain is looked for when they
// do, instead of keeping a clock for every program and address. Limits: a log that grew too long decides
// nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_SYNCLOG_H
#define TRISECT_INTERP_MEMORY_SYNCLOG_H

#include <cstdint>
#include <map>
#include <vector>

namespace trisect::interp {

enum SyncEffect : uint8_t {
  SyncAcquire = 1,
  SyncRelease = 2,
  SyncReplaces = 4, ///< a plain atomic store: earlier releases at the address are gone
};

class SyncLog {
public:
  enum class Answer : uint8_t { Ordered, Unordered, Unknown };

  void add(int64_t program, uint64_t address, uint8_t effect);
  /// Where the log stands now.
  uint32_t now() const { return static_cast<uint32_t>(events.size()); }
  /// Whether `first`'s accesses before position `since` happen before what `second` does after position
  /// `until`.
  Answer ordered(int64_t first, uint32_t since, int64_t second, uint32_t until);

private:
  struct Event {
    int64_t program;
    uint64_t address;
    uint8_t effect;
  };
  struct Question {
    int64_t first, second;
    uint32_t since, until;
    auto operator<=>(const Question &) const = default;
  };
  std::vector<Event> events;
  std::map<Question, Answer> answers;
  int64_t effort = 0;
  bool full = false;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_SYNCLOG_H
