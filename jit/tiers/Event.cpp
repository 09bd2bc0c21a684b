//===- Event.cpp - the log of a variant -----------------------------------------------------------------===//
#include "jit/tiers/Event.h"
#include <atomic>

namespace trisect::jit {

std::string_view eventKindName(Event::Kind kind) {
  switch (kind) {
  case Event::Kind::Compiled:
    return "compiled";
  case Event::Kind::Loaded:
    return "loaded";
  case Event::Kind::Promoted:
    return "promoted";
  case Event::Kind::Kept:
    return "kept";
  case Event::Kind::Withdrawn:
    return "withdrawn";
  case Event::Kind::Checked:
    return "checked";
  }
  return "";
}

void EventLog::add(Event event) {
  static std::atomic<int64_t> count{0};
  event.number = count++;
  std::lock_guard guard(lock);
  // What a kernel went through stays; what was found again and again does not.
  if (log.size() >= mostEvents)
    std::erase_if(log, [oldest = log[mostEvents / 2].number](const Event &old) {
      return old.kind == Event::Kind::Checked && old.number < oldest;
    });
  log.push_back(std::move(event));
}

std::vector<Event> EventLog::events() const {
  std::lock_guard guard(lock);
  return log;
}

} // namespace trisect::jit
