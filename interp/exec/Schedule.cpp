//===- Schedule.cpp - workers, waiting programs, deadlocks ----------------------------------------------===//
#include "interp/exec/Schedule.h"
#include "interp/exec/Observer.h"
#include "interp/exec/Rider.h"
#include "interp/exec/WildAccess.h"
#include <algorithm>
#include <numeric>
#include <random>
#include <sched.h>
#include <utility>

namespace trisect::interp {

namespace {
constexpr uint32_t spinTurn = 64;   ///< passes over a waiting loop before a program gives way
constexpr uint32_t waitingTurn = 3; ///< the same for programs that wait already: one whole pass at least
constexpr size_t waitersPerTurn = 8;
constexpr uint64_t busy = 0, retired = ~uint64_t(0);
constexpr size_t seededAtOnce = 8;                      ///< programs that a seeded run interleaves
constexpr int64_t sharesPerWorker = 16, mostAtOnce = 8; ///< how the grid is cut where no program may wait
constexpr int64_t mostNeighbours = 64;                  ///< where one may, most likely for a neighbour
} // namespace

Schedule::Schedule(const Program &program, const LaunchRequest &request, const RunOptions &options,
                   LaunchWatch &watch, int workers, Printer &printer, Riders *riders)
    : program(program), request(request), options(options), riders(riders), watch(watch),
      interrupt(options.interrupt ? options.interrupt
                : watch.active()  ? &watch.attention()
                                  : nullptr),
      total(options.programs.empty() ? request.grid.programs()
                                     : static_cast<int64_t>(options.programs.size())),
      atOnce(std::clamp<int64_t>(total / (int64_t(workers) * sharesPerWorker), 1,
                                 program.mayWait ? mostNeighbours : mostAtOnce)),
      limit(total), fruitless(workers, retired), printer(printer) {}

Schedule::Owned Schedule::make() {
  MemoryPolicy *memory = options.memory ? options.memory : options.overlay;
  auto made = std::make_unique<Instance>(program, request, options.numerics, memory);
  made->interrupt = interrupt;
  made->watch = options.interrupt ? nullptr : &watch;
  made->observer = options.observer;
  made->printer = &printer;
  made->threads = fruitless.size() == 1 ? options.threads : 1;
  made->fused = options.fused && !options.observer && !riders;
  made->keepsVariables = riders;
  if (riders)
    made->rider = riders->along(*made);
  return made;
}

void Schedule::prepare(Instance &instance, int64_t position) {
  instance.restart(linearId(position));
  instance.spinLimit = spinTurn;
}

void Schedule::fail(int64_t position, std::exception_ptr what) {
  std::lock_guard<std::mutex> guard(lock);
  if (errorPosition < 0 || position < errorPosition) {
    errorPosition = position;
    error = what;
  }
  limit = std::min<int64_t>(limit, position);
}

bool Schedule::turn(Instance &instance, int64_t position, uint64_t budget) {
  try {
    Stop stop = Stop::None;
    uint64_t before = instance.writes;
    if (instance.repetition)
      instance.repetition->memoryIs(memory.load(std::memory_order_relaxed));
    if (auto wild = guarded([&] { stop = step(instance, budget); }))
      raiseWildAccess(instance, *wild);
    if (program.mayWait && instance.writes != before)
      memory.fetch_add(1, std::memory_order_relaxed);
    return stop == Stop::Done;
  } catch (const WildAccess &wild) { // of memory that is not the process's own
    try {
      raiseWildAccess(instance, wild);
    } catch (...) {
      fail(position, std::current_exception());
    }
    return true;
  } catch (const TimedOut &) {
    std::lock_guard<std::mutex> guard(lock);
    if (instance.spins)
      stuck.addWaiting(instance);
    else
      stuck.addRunning(instance);
    ended -= 1; // counted as ended by the caller
    endInTime();
    return true;
  } catch (const OutOfBlockMemory &) {
    fail(position, std::make_exception_ptr(OutOfBlockMemory(instance.position())));
    return true;
  } catch (const std::bad_alloc &) {
    fail(position, std::make_exception_ptr(OutOfBlockMemory(instance.position())));
    return true;
  } catch (...) {
    fail(position, std::current_exception());
    return true;
  }
}

void Schedule::endInTime() {
  timedOut = true;
  limit = 0;
}

/// Between programs: throws Interrupted; false if the time is over.
bool Schedule::mayGoOn() {
  if (!interrupt || !interrupt->load(std::memory_order_relaxed))
    return true;
  if (options.interrupt)
    throw Interrupted();
  switch (watch.look()) {
  case LaunchWatch::Order::GoOn:
    return true;
  case LaunchWatch::Order::Interrupt:
    throw Interrupted();
  case LaunchWatch::Order::TimeOut:
    break;
  }
  std::lock_guard<std::mutex> guard(lock);
  endInTime();
  return false;
}

void Schedule::noteFruitless(int worker, uint64_t since, bool progress) {
  std::lock_guard<std::mutex> guard(lock);
  fruitless[worker] = progress ? busy : since;
  uint64_t now = epoch.load();
  bool allStuck = std::all_of(fruitless.begin(), fruitless.end(),
                              [&](uint64_t mark) { return mark == now || mark == retired; });
  if (!progress && since == now && allStuck && next.load() >= limit.load())
    deadlock = true;
}

bool Schedule::round(Share &share) {
  bool progress = false;
  auto takeTurn = [&](Waiting &each) {
    Instance &instance = *each.instance;
    uint64_t before = instance.writes;
    instance.carriedChange = false;
    instance.spins = 0;
    instance.spinLimit = waitingTurn;
    if (turn(instance, each.position, ~uint64_t(0))) {
      progress = true;
      ++share.done;
      share.spare = std::move(each.instance);
    } else {
      progress |= instance.writes != before || instance.gotOn();
    }
  };
  std::vector<Waiting> &waiting = share.waiting;
  if (share.upwards)
    std::for_each(waiting.begin(), waiting.end(), takeTurn);
  else
    std::for_each(waiting.rbegin(), waiting.rend(), takeTurn);
  share.upwards = !share.upwards;
  std::erase_if(waiting, [](const Waiting &each) { return !each.instance; });
  if (progress)
    noteProgress();
  return progress;
}

void Schedule::work(int worker) {
  Share share;
  auto &[waiting, spare, done, upwards] = share;
  size_t sinceRound = 0; ///< programs that were started
  {
    std::lock_guard<std::mutex> guard(lock); // whoever has not come by now finds no program either
    fruitless[worker] = busy;
  }
  try {
    for (int64_t position = 0, end = 0;; ++position) {
      if (position == end) {
        position = next.fetch_add(atOnce, std::memory_order_relaxed);
        end = position + atOnce;
      }
      if (position >= limit.load(std::memory_order_relaxed))
        break;
      if (!mayGoOn())
        break;
      auto instance = spare ? std::move(spare) : make();
      prepare(*instance, position);
      if (turn(*instance, position, ~uint64_t(0))) {
        spare = std::move(instance);
        ++done;
        if (program.mayWait)
          noteProgress();
      } else {
        noteProgress();
        waiting.push_back({std::move(instance), position});
      }
      // Seldom while many wait: else each new one would cost a turn of all.
      if (++sinceRound * waitersPerTurn > waiting.size()) {
        round(share);
        sinceRound = 0;
      }
    }
    while (!waiting.empty() && !deadlock.load()) {
      if (!mayGoOn())
        break;
      uint64_t start = epoch.load();
      bool progress = round(share);
      if (timedOut)
        break;
      if (limit.load() < total) // a fault ended the run: nobody will come to the aid of those behind it
        std::erase_if(waiting, [&](const Waiting &each) { return each.position > limit.load(); });
      noteFruitless(worker, start, progress);
      if (!progress)
        sched_yield();
    }
  } catch (...) {
    fail(0, std::current_exception());
  }
  noteProgress();
  std::lock_guard<std::mutex> guard(lock);
  ended += done;
  if (deadlock || timedOut)
    for (const Waiting &each : waiting)
      stuck.addWaiting(*each.instance);
  fruitless[worker] = retired;
}

void Schedule::workSeeded(uint64_t seed) {
  struct Active {
    Owned instance;
    int64_t position;
    bool waits = false, quiet = false;
    uint64_t writes = 0; ///< when it gave way last
  };
  std::mt19937_64 random(seed);
  std::vector<int64_t> order(static_cast<size_t>(total));
  std::iota(order.begin(), order.end(), 0);
  for (size_t n = order.size(); n > 1; --n)
    std::swap(order[n - 1], order[random() % n]);
  std::vector<Active> active;
  size_t started = 0;
  try {
    while (true) {
      bool allWait = std::all_of(active.begin(), active.end(), [](const Active &each) { return each.waits; });
      while (started < order.size() && (active.size() < seededAtOnce || allWait)) {
        active.push_back({make(), order[started++]});
        prepare(*active.back().instance, active.back().position);
        allWait = false;
      }
      if (active.empty())
        break;
      if (!mayGoOn() || timedOut) {
        for (const Active &other : active)
          stuck.addWaiting(*other.instance);
        break;
      }
      Active &each = active[random() % active.size()];
      Instance &instance = *each.instance;
      instance.spinLimit = waitingTurn;
      uint64_t before = instance.writes;
      bool done = turn(instance, each.position, 1 + random() % 64);
      bool gaveWay = instance.stop == Stop::Wait;
      ended += done;
      if (done || instance.writes != before || instance.gotOn())
        for (Active &other : active) { // what it has read so far in this pass may be out of date
          other.quiet = false;
          other.instance->spins = 0;
        }
      each.waits = gaveWay;
      if (gaveWay) { // whole passes of its loop since it gave way last
        each.quiet = !instance.gotOn() && instance.writes == each.writes;
        each.writes = instance.writes;
        instance.spins = 0;
        instance.carriedChange = false;
      }
      if (limit.load() < total)
        break;
      if (done) {
        std::swap(each, active.back());
        active.pop_back();
        continue;
      }
      if (started == order.size() &&
          std::all_of(active.begin(), active.end(), [](const Active &a) { return a.quiet; })) {
        deadlock = true;
        for (const Active &other : active)
          stuck.addWaiting(*other.instance);
        break;
      }
    }
  } catch (...) {
    fail(0, std::current_exception());
  }
}

void Schedule::finish() {
  if (error)
    std::rethrow_exception(error);
  if (timedOut)
    throw stuck.timeout(program.kernel, watch.limit().value_or(0), ended, total);
  if (deadlock && !stuck.empty())
    throw stuck.deadlock(program.kernel);
}

} // namespace trisect::interp
