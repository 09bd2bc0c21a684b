//===- Upcoming.h - rows that reductions read and are asked for long before -----------------------------===//
//
// What: tells where the next rows of a load lie that a reduction reads, so that they can be asked for. The
// first loop over a row of a block of one dimension asks before it begins for a line of each page that lies
// four pages further, of this row or of the next ones. Each loop over such rows after it asks for all lines
// of a later row, of the program or round that comes then; what one asks in vain, since too much is under
// way, the next one gets. So does a loop of the kernel that goes over what an earlier one has read. A sum of
// columns asks for the same place in the next round of the loop around it, line by line. Why: what the
// machine itself looks ahead ends with each page, and a reduction waits for memory alone. Of a page one line
// will do, the machine brings the others: all of them, or closer ones, take longer than none. Later loops
// find their row in a cache, and memory had nothing to do meanwhile (docs/cpu-speed.md has figures). Limits:
// rows whose place follows from arguments, program ids and loops; what a number in memory chooses lies
// somewhere else next time. What was fetched in vain costs time and nothing else.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_UPCOMING_H
#define TRISECT_BACKENDS_CPU_PLAN_UPCOMING_H

#include "core/analysis/Affine.h"
#include "core/ir/Ops.h"

namespace trisect::cpu {

/// How far ahead of a row's load, in pages of which size, and how much a row must have at least.
constexpr int64_t upcomingBytes = 16384, pageBytes = 4096, leastRow = 1024;
/// Of blocks that hold more than the one the next one is not asked for: it would push out what is not read
/// yet. Rows that lie closer than the other are found by the machine itself.
constexpr int64_t largestBlock = 262144, closestRows = 8192;
/// The later row lies at least so far ahead, in bytes of rows.
constexpr int64_t laterRowBytes = 32768;

/// How the place where a load reads comes to be another one.
enum class Moves : uint8_t { No, WithPrograms, WithRounds };
/// No: it does not, or a number in memory chooses it. WithRounds: in a loop, and perhaps with programs.
Moves movesOf(tt::LoadOp load);

/// How a load's place differs, in bytes, from one round of a loop to the next, or from one program to the
/// next; always by the same number.
struct Motion {
  mlir::Operation *around; ///< the loop, or the kernel
  tt::Polynomial bytes;
};
/// Of a load in a loop that goes over what an earlier loop of the same bounds has read, by what is around
/// both. Nothing for other loads.
std::optional<Motion> motionOfReread(tt::LoadOp load);

/// The last dimension of a load that is longer than one; the first if none is.
int64_t innermost(tt::LoadOp load);

/// Rows whose elements lie side by side, as a load reads them: where they begin, in bytes after a pointer,
/// how far apart neighbours along each dimension are, and how they move with the loop that the load stands
/// in, or with programs where it stands in none.
struct MovingRows {
  mlir::Value base;
  tt::Polynomial start;
  llvm::SmallVector<tt::Polynomial, 4> strides;
  Motion motion;
};
std::optional<MovingRows> movingRows(tt::LoadOp load);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_UPCOMING_H
