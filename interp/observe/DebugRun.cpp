//===- DebugRun.cpp - stepping, going back --------------------------------------------------------------===//
#include "interp/observe/DebugRun.h"
#include "interp/exec/StuckPrograms.h"
#include <chrono>
#include <limits>

namespace trisect::interp {

namespace {
constexpr uint64_t instructionsAtOnce = 1 << 14;
constexpr auto slice = std::chrono::milliseconds(50);
/// Points that are kept for going back.
constexpr size_t mostLogged = 1 << 24;
} // namespace

DebugRun::DebugRun(std::shared_ptr<const Program> code, const LaunchRequest &given, Numerics numerics,
                   RidersOf ridersOf, std::optional<uint64_t> seed,
                   std::function<void(std::string_view)> show, DeviceMemory device)
    : program(std::move(code)), request(given), arguments(given.args.begin(), given.args.end()),
      views(given.tensors.begin(), given.tensors.end()), numerics(numerics), shadow(std::move(ridersOf)),
      print([this, show = std::move(show)](std::string_view line) {
        if (time > printed)
          show(line);
      }),
      printer(print, /*ordered=*/false, std::numeric_limits<int64_t>::max()),
      memory(*program, views, std::move(device)),
      schedule(given.grid.programs(), seed, [this](int64_t linear) { return make(linear); }),
      armed(program->statements.size()) {
  request.args = arguments;
  request.tensors = views;
  startShadow();
}

void DebugRun::startShadow() { riders = shadow ? shadow(*program, request) : nullptr; }

std::unique_ptr<Instance> DebugRun::make(int64_t linear) {
  auto made = std::make_unique<Instance>(*program, request, numerics, &memory);
  made->fused = false;
  made->statements = this;
  made->printer = &printer;
  if (riders)
    made->rider = riders->along(*made);
  made->restart(linear);
  return made;
}

void DebugRun::setBreakpoints(const std::vector<Breakpoint> &all, bool calls) {
  for (auto &each : armed)
    each.clear();
  atStart.clear();
  for (const Breakpoint &each : all)
    if (each.statement == noStatement)
      atStart.push_back(each);
    else if (each.statement < armed.size())
      armed[each.statement].push_back(each);
  stopsAtCalls = calls;
}

uint32_t DebugRun::statement() const {
  const Instance *instance = current();
  auto found = instance ? places.find(instance->linear) : places.end();
  return found == places.end() ? noStatement : found->second;
}

uint32_t DebugRun::location() const {
  const Instance *instance = current();
  if (!instance)
    return 0;
  if (inside && instance->pc > 0)
    return program->code[instance->pc - 1].location;
  uint32_t at = statement();
  return at == noStatement ? program->code[instance->pc].location : program->statements[at].location;
}

bool DebugRun::motionDone(const Instance &instance, uint32_t at) const {
  if (motion == Motion::Continue)
    return false;
  if (instance.linear != motionProgram)
    return !schedule.isLive(motionProgram);
  uint32_t depth = program->statements[at].depth;
  return motion == Motion::Into || (motion == Motion::Over ? depth <= motionDepth : depth < motionDepth);
}

bool DebugRun::reached(Instance &instance, uint32_t at) {
  printed = std::max(printed, time);
  ++time;
  if (time > logged.size() && logged.size() < mostLogged)
    logged.push_back({static_cast<uint32_t>(instance.linear), at});
  auto [place, first] = places.insert_or_assign(instance.linear, at);
  inside = false;
  if (target && (time == target || !stopping)) {
    if (time == target)
      event.reason = Reason::Statement;
    return time == target || switchDue();
  }
  auto hit = [&](const Breakpoint &each) {
    if (each.program < 0 || each.program == instance.linear)
      event.breakpoints.push_back(each.id);
  };
  for (const Breakpoint &each : armed[at])
    hit(each);
  if (first)
    for (const Breakpoint &each : atStart)
      hit(each);
  if (stopsAtCalls && program->statements[at].kind == Statement::Kind::Breakpoint)
    event.breakpoints.push_back(0);
  event.stepDone = motionDone(instance, at);
  if (!event.breakpoints.empty())
    event.reason = Reason::Breakpoint;
  else if (event.stepDone && !target)
    event.reason = Reason::Statement;
  else if (pauseAsked.exchange(false))
    event.reason = Reason::Pause;
  return event.reason != Reason::Slice || (target && switchDue());
}

DebugRun::Event DebugRun::fail(std::exception_ptr what) {
  error = std::move(what);
  inside = true;
  Event told;
  told.reason = Reason::Fault;
  return told;
}

bool DebugRun::turn(Instance &instance, Event &told) {
  event = {};
  event.reason = Reason::Slice;
  memory.setRunning(&instance, !target || stopping);
  Stop stop;
  try {
    stop = step(instance, instructionsAtOnce);
  } catch (const OutOfBlockMemory &) {
    throw OutOfBlockMemory(instance.position());
  } catch (const std::bad_alloc &) {
    throw OutOfBlockMemory(instance.position());
  } catch (const KernelFault &) {
    told = fail(std::current_exception());
    return true;
  }
  if (stop == Stop::Done) {
    places.erase(instance.linear);
    schedule.ended();
  } else if (stop == Stop::Wait) {
    schedule.gaveWay();
  }
  if (auto hit = memory.takeHit()) {
    // The last instruction of a program may be the write.
    event.reason = Reason::Watch;
    event.watch = hit;
    inside = true;
  }
  told = event;
  return event.reason != Reason::Slice;
}

DebugRun::Event DebugRun::run() {
  Event told;
  if (error)
    return fail(error);
  auto end = std::chrono::steady_clock::now() + slice;
  do {
    if (target && switchDue() && time < target)
      schedule.choose(switches[switched++].program);
    Instance *instance = schedule.next();
    if (!instance) {
      if (!schedule.stuck())
        return {};
      StuckPrograms waiting;
      for (const Instance *each : schedule.live())
        waiting.addWaiting(*each);
      told = fail(std::make_exception_ptr(waiting.deadlock(program->kernel)));
      inside = false; // between two passes of its loop
      return told;
    }
    if (turn(*instance, told))
      return told;
  } while (std::chrono::steady_clock::now() < end);
  told.reason = Reason::Slice;
  return told;
}

DebugRun::Event DebugRun::start(Motion asked) {
  target = 0;
  logged.resize(std::min<size_t>(logged.size(), time));
  switches.resize(switched);
  motion = asked;
  motionProgram = current() ? current()->linear : -1;
  uint32_t at = statement();
  motionDepth = at == noStatement ? 0 : program->statements[at].depth;
  return run();
}

DebugRun::Event DebugRun::proceed() { return run(); }

DebugRun::Event DebugRun::startAgain(uint64_t clock, bool stops) {
  schedule.reset();
  startShadow();
  memory.clear();
  places.clear();
  error = nullptr;
  inside = false;
  time = 0;
  switched = 0;
  target = clock;
  stopping = stops;
  return run();
}

bool DebugRun::choose(int64_t chosen) {
  // After a fault nothing runs on; programs that were under way can still be looked at.
  if (error && !schedule.isLive(chosen))
    return false;
  if (!schedule.choose(chosen))
    return false;
  inside = false;
  if (error)
    return true;
  logged.resize(std::min<size_t>(logged.size(), time));
  switches.resize(switched);
  switches.push_back({time, chosen});
  ++switched;
  return true;
}

uint64_t DebugRun::before(Motion asked) const {
  size_t end = std::min<size_t>(time, logged.size());
  if (time > logged.size() || !end)
    return 0;
  // Just at a statement: the one before it. Within one, or at the end of the launch: its beginning.
  const Instance *instance = current();
  if (!instance)
    return end;
  auto own = static_cast<uint32_t>(instance->linear);
  size_t at = end;
  while (at > 0 && logged[at - 1].program != own)
    --at;
  if (inside || at == 0)
    return at ? at : end;
  uint32_t depth = program->statements[logged[at - 1].statement].depth;
  for (size_t n = at - 1; n > 0; --n) {
    uint32_t there = program->statements[logged[n - 1].statement].depth;
    if (logged[n - 1].program == own &&
        (asked == Motion::Into || (asked == Motion::Out ? there < depth : there <= depth)))
      return n;
  }
  return at - 1;
}

uint64_t DebugRun::lastOf(int64_t linear, uint32_t at) const {
  uint64_t any = 0;
  for (size_t n = std::min<size_t>(time, logged.size()); n > 0; --n) {
    const Point &point = logged[n - 1];
    if (point.program != static_cast<uint32_t>(linear))
      continue;
    if (point.statement == at)
      return n;
    if (!any)
      any = n;
  }
  return any;
}

} // namespace trisect::interp
