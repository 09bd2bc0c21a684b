//===- RunOptions.h - how a program is run --------------------------------------------------------------===//
//
// What: which programs of a grid, on how many threads, in which order, over which memory, under whose eyes.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_RUNOPTIONS_H
#define TRISECT_INTERP_EXEC_RUNOPTIONS_H

#include "core/support/LaunchWatch.h"
#include "core/support/Sanitize.h"
#include "interp/kernels/KernelTable.h"
#include "interp/memory/Overlay.h"
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace trisect::interp {

class Observer;

using trisect::Interrupted;

struct RunOptions {
  Numerics numerics = Numerics::Ieee;
  /// 0: TRISECT_THREADS, else the cores that this process may use.
  int threads = 0;
  /// One thread, programs in an order and interleaving that the seed alone decides. Unset: TRISECT_SEED.
  std::optional<uint64_t> seed;
  /// Linear ids to run, x fastest; empty means all of the grid.
  std::span<const int64_t> programs;
  /// Keeps every write away from the real memory. Runs on one thread.
  Overlay *overlay = nullptr;
  /// Any other mode of memory, in place of the overlay. Runs on one thread.
  MemoryPolicy *memory = nullptr;
  /// Shadow mode: the defects to look for (not together with another memory than an overlay). One thread.
  SanitizeOptions sanitize;
  /// Where shadow mode puts what it collected; unset: the log of the process.
  std::vector<Finding> *findings = nullptr;
  /// Looks at each instruction. Runs on one thread, without strips.
  Observer *observer = nullptr;
  /// Checked at loops and between programs; with one the launch is not under LaunchWatch.
  std::atomic<bool> *interrupt = nullptr;
  /// Where print goes, one line at a time; unset: the sink of the process (core/support/PrintSink.h).
  std::function<void(std::string_view line)> print;
  /// Instructions run one by one over whole blocks instead of in strips.
  bool fused = true;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_RUNOPTIONS_H
