//===- PathWatch.h - which ways through compiled code a launch takes ------------------------------------===//
//
// What: while one is current on a thread, launches of that thread ask it before a program takes one of the
// paths (Artifact::paths) that it asks about: it is noted, with the program, and the launch goes on or ends
// there. Why: code that was compared on full blocks is not known to be right for ragged ones; what was never
// compared need not run on the caller's memory. Limits: programs that wait for one another are not watched.
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
#include <vector>

namespace trisect {

/// Paths of one kernel that can be watched; what a kernel has beyond these is not.
inline constexpr size_t mostPaths = 120;
using PathSet = std::bitset<mostPaths>;

class PathWatch {
public:
  enum class Mode : uint8_t {
    Note, ///< programs go on
    Stop, ///< the launch ends before the first of them takes such a path; what other programs did stays
  };
  struct Taken {
    size_t path = 0;
    int64_t program = 0; ///< linear id of one that took it, or came to it
  };

  PathWatch(const PathSet &asked, Mode mode, const Grid &grid) : asked(asked), mode(mode), grid(grid) {}
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
  /// A program stands before a path; true if the launch must end. Takes no memory.
  bool comes(size_t path, int32_t x, int32_t y, int32_t z);
  bool stopped() const { return ended.load(std::memory_order_relaxed); }
  std::vector<Taken> taken() const;

  /// Between launches: forgets what was taken, and asks about `now` alone.
  void renew(const PathSet &now);
  /// This program may take any path from now on; false if there are too many such.
  bool excuse(int64_t program);

private:
  PathSet asked;
  Mode mode;
  Grid grid;
  std::array<std::atomic<int64_t>, mostPaths> programs{}; ///< linear id and one; 0: none came
  std::array<int64_t, 8> excused{};
  size_t excusedCount = 0;
  std::atomic<bool> ended{false};
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_PATHWATCH_H
