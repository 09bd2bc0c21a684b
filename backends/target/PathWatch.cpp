//===- PathWatch.cpp - notes of programs before paths ---------------------------------------------------===//
#include "backends/target/PathWatch.h"
#include "backends/target/Artifact.h"
#include <algorithm>
#include <utility>

namespace trisect {

static thread_local PathWatch *watching = nullptr;

PathSet earlyPaths(const Artifact &artifact) {
  PathSet early;
  for (size_t path = 0; path < std::min(mostPaths, artifact.paths.size()); ++path)
    early[path] = !artifact.paths[path].late;
  return early;
}

PathSet SharedPaths::get() const {
  return PathSet(high.load(std::memory_order_relaxed)) << 64 | PathSet(low.load(std::memory_order_relaxed));
}

bool SharedPaths::add(const PathSet &paths) {
  const PathSet word(~uint64_t(0));
  uint64_t newLow = (paths & word).to_ullong(), newHigh = (paths >> 64).to_ullong();
  uint64_t hadLow = low.fetch_or(newLow, std::memory_order_relaxed),
           hadHigh = high.fetch_or(newHigh, std::memory_order_relaxed);
  return (hadLow | newLow) != hadLow || (hadHigh | newHigh) != hadHigh;
}

void SharedPaths::clear() {
  low.store(0, std::memory_order_relaxed);
  high.store(0, std::memory_order_relaxed);
}

PathWatch *PathWatch::current() { return watching; }

PathWatch::Scope::Scope(PathWatch *watch) : before(std::exchange(watching, watch)) {}
PathWatch::Scope::~Scope() { watching = before; }

bool PathWatch::remembers(const Artifact &artifact) const {
  auto ends = [&](size_t path) { return path < mostPaths && asked[path] && stops[path]; };
  for (size_t path = 0; putsBack && path < std::min(mostPaths, artifact.paths.size()); ++path) {
    int32_t around = artifact.paths[path].within;
    while (around >= 0 && !ends(around))
      around = artifact.paths[around].within;
    // A program that ends before the one around it comes to no path within.
    if (ends(path) && artifact.paths[path].kept && around < 0)
      return true;
  }
  return false;
}

bool PathWatch::comes(size_t path, int64_t program, bool lasts) {
  if (std::ranges::count(excused.begin(), excused.begin() + excusedCount, program))
    return false;
  std::atomic_ref(latest[path]).store(program, std::memory_order_relaxed);
  const PathSet one = PathSet().set(path);
  came.add(one);
  if (lasts)
    passed.add(one);
  if (!stops[path] || lasts)
    return false;
  ended.store(true, std::memory_order_relaxed);
  return true;
}

std::vector<PathWatch::Taken> PathWatch::taken() const {
  std::vector<Taken> all;
  if (PathSet some = came.get(); some.any())
    for (size_t path = 0; path < mostPaths; ++path)
      if (some[path])
        all.push_back({path, latest[path]});
  return all;
}

void PathWatch::leave(ProgramRange programs) {
  std::lock_guard guard(lock);
  left.push_back(programs);
}

std::vector<ProgramRange> PathWatch::takeLeft() {
  std::lock_guard guard(lock);
  std::ranges::sort(left, {}, &ProgramRange::first);
  std::vector<ProgramRange> joined;
  for (ProgramRange each : std::exchange(left, {}))
    if (!joined.empty() && joined.back().first + joined.back().count == each.first)
      joined.back().count += each.count;
    else
      joined.push_back(each);
  return joined;
}

void PathWatch::renew(const PathSet &now) {
  asked = now;
  came.clear();
  passed.clear();
  ended.store(false, std::memory_order_relaxed);
}

bool PathWatch::excuse(int64_t program) {
  if (excusedCount == excused.size())
    return false;
  excused[excusedCount++] = program;
  return true;
}

} // namespace trisect
