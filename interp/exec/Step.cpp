//===- Step.cpp - the step loop -------------------------------------------------------------------------===//
//
// What: fetches an instruction, calls its handler, goes on. The only loop that runs programs: modes hang on
// the instance (policy, observer, rider), never on another loop.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/LaunchWatch.h"
#include "interp/exec/Instance.h"
#include "interp/exec/Observer.h"
#include "interp/exec/Rider.h"

namespace trisect::interp {

namespace {

template <bool observed, bool ridden = false> Stop run(Instance &s, uint64_t budget) {
  s.stop = Stop::None;
  while (budget--) {
    const Instr &i = s.code[s.pc++];
    if constexpr (observed)
      s.observer->before(s, i);
    if constexpr (ridden)
      s.rider->before(i);
    handlers[static_cast<int>(i.opcode)](s, i);
    if constexpr (ridden)
      s.rider->after(i);
    if constexpr (observed)
      s.observer->after(s, i);
    if (i.flags & FlagLastUse)
      s.dropLastUses(i);
    if (s.stop != Stop::None)
      return s.stop;
  }
  return Stop::None;
}

} // namespace

void stopIfAsked(Instance &s) {
  LaunchWatch::Order order = s.watch ? s.watch->look() : LaunchWatch::Order::Interrupt;
  if (order == LaunchWatch::Order::Interrupt)
    throw Interrupted();
  if (order == LaunchWatch::Order::TimeOut)
    throw TimedOut();
}

Stop step(Instance &s, uint64_t budget) {
  if (s.rider)
    return s.observer ? run<true, true>(s, budget) : run<false, true>(s, budget);
  return s.observer ? run<true>(s, budget) : run<false>(s, budget);
}

void stepRegion(Instance &s, uint32_t begin, bool ridden) {
  s.pc = begin;
  while (true) {
    Stop stop = ridden ? run<false, true>(s, ~uint64_t(0)) : run<false>(s, ~uint64_t(0));
    if (stop == Stop::RegionEnd) {
      s.stop = Stop::None;
      return;
    }
  }
}

} // namespace trisect::interp
