//===- PathWatch.h - which ways through compiled code a launch takes ------------------------------------===//
//
// What: while one is current on a thread, launches of that thread ask it before a program takes one of the
// paths (Artifact::paths) that it asks about: it is noted, with the program, and the launch goes on or ends
// there, and tells which programs have not come to their end. Why: code that was compared on full blocks is
// not known to be right for ragged ones; what was never compared need not run on the caller's memory. Limits:
// programs that wait for one another are not watched.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_PATHWATCH_H
#define TRISECT_BACKENDS_TARGET_PATHWATCH_H

#include "core/support/Launch.h"
#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace trisect {

/// Paths of one kernel that can be watched; what a kernel has beyond these is not.
inline constexpr size_t mostPaths = 120;
using PathSet = std::bitset<mostPaths>;

struct Artifact;
/// The paths before which a program has done nothing that lasts: stopped there, it can begin again.
PathSet earlyPaths(const Artifact &artifact);

/// A set that threads add to and look at without a lock: two words, since each launch that is watched makes
/// some.
class SharedPaths {
public:
  PathSet get() const;
  /// True if it grew.
  bool add(const PathSet &paths);
  void clear();

private:
  std::atomic<uint64_t> low{0}, high{0};
};

class PathWatch {
public:
  struct Taken {
    size_t path = 0;
    int64_t program = 0; ///< linear id of one that took it, or came to it
  };

  /// Asks about `asked`. Before the first program takes one of `stops` the launch ends; what other programs
  /// did stays. `putsBack`: what that program wrote does not.
  PathWatch(const PathSet &asked, const PathSet &stops, bool putsBack = false)
      : asked(asked), stops(stops), putsBack(putsBack) {}
  /// The one of this thread, or null.
  static PathWatch *current();

  /// Makes a watch the current one of the thread while it exists.
  class Scope {
  public:
    explicit Scope(PathWatch *watch);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    PathWatch *before;
  };

  bool asksAbout(size_t path) const { return asked[path]; }
  /// Whether a program must remember what it writes over: it may have to end before a path, unseen.
  bool remembers(const Artifact &artifact) const;
  /// A program, by its linear id, stands before a path; true if the launch must end. `lasts`: what it has
  /// done cannot be put back. Takes no memory.
  bool comes(size_t path, int64_t program, bool lasts = false);
  bool stopped() const { return ended.load(std::memory_order_relaxed); }
  /// Whether a program that came to the path went on.
  bool wentOn(size_t path) const { return !stops[path] || passed.get()[path]; }
  bool anyCame() const { return came.get().any(); }
  std::vector<Taken> taken() const;
  /// A program gave way to another one before its end.
  void gaveWay() { anyGaveWay.store(true, std::memory_order_relaxed); }
  bool someGaveWay() const { return anyGaveWay.load(std::memory_order_relaxed); }
  /// Of a launch that stopped: these have not begun, but for the first, which may stand before a path.
  void leave(ProgramRange programs);
  /// All that were left since the last call, ascending.
  std::vector<ProgramRange> takeLeft();

  /// Between launches: forgets what was taken, and asks about `now` alone.
  void renew(const PathSet &now);
  /// This program may take any path from now on; false if there are too many such.
  bool excuse(int64_t program);

private:
  PathSet asked, stops;
  bool putsBack;
  SharedPaths came, passed;              ///< passed: by one that could not be stopped
  std::array<int64_t, mostPaths> latest; ///< linear id of the last program to a path, of those that came
  std::array<int64_t, 8> excused{};
  size_t excusedCount = 0;
  std::atomic<bool> ended{false}, anyGaveWay{false};
  std::mutex lock; ///< of what was left
  std::vector<ProgramRange> left;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_PATHWATCH_H
