//===- Pace.cpp - the same work in two tiers ------------------------------------------------------------===//
#include "jit/tiers/Pace.h"
#include <algorithm>
#include <mutex>

namespace trisect::jit {

namespace {
/// Launches of compiled code that are timed before it is judged.
constexpr int64_t enough = 16;
/// Percent of tier 0's time that compiled code may take: less would be noise.
constexpr int64_t mostPercent = 125;
} // namespace

uint64_t workOf(const LaunchRequest &request, std::span<const KernelParameter> parameters) {
  uint64_t work = 0xcbf29ce484222325;
  auto add = [&](uint64_t value) { work = (work ^ value) * 0x100000001b3; };
  for (int32_t extent : {request.grid.x, request.grid.y, request.grid.z})
    add(static_cast<uint32_t>(extent));
  for (size_t n = 0; n < parameters.size() && n < request.args.size(); ++n)
    if (parameters[n].type != DType::Ptr)
      add(request.args[n]);
  return work;
}

Pace::Best Pace::ran(uint64_t work, int64_t nanoseconds) {
  std::lock_guard guard(lock);
  if (!known.launches || known.work != work)
    known = {work, nanoseconds, 0};
  known.nanoseconds = std::min(known.nanoseconds, nanoseconds);
  ++known.launches;
  return known;
}

Pace::Best Pace::best() const {
  std::lock_guard guard(lock);
  return known;
}

bool isSlower(const Pace::Best &compiled, const Pace::Best &tier0) {
  return tier0.launches && compiled.work == tier0.work && compiled.launches >= enough &&
         compiled.nanoseconds * 100 > tier0.nanoseconds * mostPercent;
}

} // namespace trisect::jit
