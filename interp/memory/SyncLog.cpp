//===- SyncLog.cpp - chains of releases and acquires ----------------------------------------------------===//
#include "interp/memory/SyncLog.h"
#include <cstddef>
#include <unordered_set>

namespace trisect::interp {

namespace {
constexpr std::size_t mostEvents = 8'000'000;
constexpr int64_t mostEffort = 400'000'000; ///< events looked at in a launch
} // namespace

void SyncLog::add(int64_t program, uint64_t address, uint8_t effect) {
  if (effect == SyncAcquire && !events.empty()) { // a wait asks again and again
    const Event &last = events.back();
    if (last.program == program && last.address == address && last.effect == effect)
      return;
  }
  if (events.size() >= mostEvents)
    full = true;
  else
    events.push_back({program, address, effect});
}

SyncLog::Answer SyncLog::ordered(int64_t first, uint32_t since, int64_t second, uint32_t until) {
  if (first == second)
    return Answer::Ordered;
  if (full)
    return Answer::Unknown;
  Question question{first, second, since, until};
  if (auto found = answers.find(question); found != answers.end())
    return found->second;
  effort += int64_t(until) - since;
  if (effort > mostEffort)
    return Answer::Unknown;
  // The programs that know of the access, and the addresses through which they told of it.
  std::unordered_set<int64_t> knowing = {first};
  std::unordered_set<uint64_t> told;
  Answer answer = Answer::Unordered;
  for (uint32_t at = since; at < until && answer == Answer::Unordered; ++at) {
    const Event &event = events[at];
    if ((event.effect & SyncAcquire) && told.count(event.address) && knowing.insert(event.program).second &&
        event.program == second)
      answer = Answer::Ordered;
    bool knows = knowing.count(event.program);
    if ((event.effect & SyncRelease) && knows)
      told.insert(event.address);
    else if (event.effect & SyncReplaces)
      told.erase(event.address);
  }
  answers.emplace(question, answer);
  return answer;
}

} // namespace trisect::interp
