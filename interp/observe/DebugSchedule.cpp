//===- DebugSchedule.cpp - the programs of a launch that is being debugged ------------------------------===//
#include "interp/observe/DebugSchedule.h"
#include <algorithm>
#include <numeric>
#include <random>

namespace trisect::interp {

namespace {
constexpr uint32_t waitingTurn = 3; ///< passes over a waiting loop before a program gives way
}

DebugSchedule::DebugSchedule(int64_t programs, std::optional<uint64_t> seed, Make make)
    : order(static_cast<size_t>(programs)), make(std::move(make)) {
  std::iota(order.begin(), order.end(), 0);
  if (!seed)
    return;
  std::mt19937_64 random(*seed);
  for (size_t n = order.size(); n > 1; --n)
    std::swap(order[n - 1], order[random() % n]);
}

void DebugSchedule::reset() {
  running = nullptr;
  all.clear();
  started.clear();
  position = 0;
  deadlock = false;
}

DebugSchedule::Live *DebugSchedule::find(int64_t program) const {
  for (const auto &each : all)
    if (each->instance->linear == program)
      return each.get();
  return nullptr;
}

bool DebugSchedule::isLive(int64_t program) const { return find(program) != nullptr; }

DebugSchedule::Live *DebugSchedule::start(int64_t program) {
  started.insert(program);
  auto made = std::make_unique<Live>();
  made->instance = make(program);
  made->instance->spinLimit = waitingTurn;
  all.push_back(std::move(made));
  return all.back().get();
}

bool DebugSchedule::choose(int64_t program) {
  Live *found = find(program);
  if (!found && !started.contains(program))
    found = start(program);
  if (!found)
    return false;
  running = found;
  return true;
}

Instance *DebugSchedule::next() {
  if (running)
    return running->instance.get();
  for (const auto &each : all)
    if (!each->waits) {
      running = each.get();
      return running->instance.get();
    }
  while (position < order.size() && started.contains(order[position]))
    ++position;
  if (position < order.size()) {
    running = start(order[position++]);
    return running->instance.get();
  }
  if (all.empty())
    return nullptr;
  if (std::all_of(all.begin(), all.end(), [](const auto &each) { return each->quiet; })) {
    deadlock = true;
    running = all.front().get();
    return nullptr;
  }
  // Everybody waits: each gets another turn.
  for (const auto &each : all)
    each->waits = false;
  running = all.front().get();
  return running->instance.get();
}

void DebugSchedule::ended() {
  std::erase_if(all, [&](const auto &each) { return each.get() == running; });
  running = nullptr;
  for (const auto &each : all)
    each->quiet = false;
}

void DebugSchedule::gaveWay() {
  Live &each = *running;
  Instance &instance = *each.instance;
  bool changed = instance.gotOn() || instance.writes != each.writes;
  if (changed)
    for (const auto &other : all) {
      other->quiet = false;
      if (other->instance->repetition && instance.writes != each.writes)
        other->instance->repetition->forget();
    }
  each.quiet = !changed;
  each.waits = true;
  each.writes = instance.writes;
  instance.spins = 0;
  instance.carriedChange = false;
  running = nullptr;
}

std::vector<const Instance *> DebugSchedule::live() const {
  std::vector<const Instance *> result;
  for (const auto &each : all)
    result.push_back(each->instance.get());
  std::sort(result.begin(), result.end(), [](auto *a, auto *b) { return a->linear < b->linear; });
  return result;
}

} // namespace trisect::interp
