//===- PieceLength.h - how many programs a thread takes at a time ---------------------------------------===//
//
// What: the shortest piece of a grid (backends/common/ParallelGrid.h), by what a program takes. Why: pieces
// let threads end together though programs differ, but each costs as much as to add some hundred numbers, and
// what one thread takes of another's share lies in that one's cache, now and in the next launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_PIECELENGTH_H
#define TRISECT_BACKENDS_CPU_LAUNCH_PIECELENGTH_H

#include <algorithm>
#include <cstdint>

namespace trisect::cpu {

/// Launches shorter than this run on the caller's thread and in one piece: to call another thread takes a
/// microsecond at best.
constexpr double serialNanoseconds = 4000;
/// Of a thread's share, and how long a piece takes at least where that many are not too short.
constexpr unsigned sharedPieces = 8;
constexpr double pieceNanoseconds = 5000;
/// A share that takes less is one piece: eight would cost a tenth of it.
constexpr double wholeShareNanoseconds = 10000;
/// A thread that is alone hands nothing to others: cut is what they may have to wait for (core/support/
/// AtomicsGate.h), or a path may end.
constexpr double alonePieceNanoseconds = 1e5;

/// Programs of the shortest piece. `ofProgram`: nanoseconds; below 0: not known.
inline int64_t leastPiece(double ofProgram, int64_t programs, unsigned threads) {
  int64_t share = (programs + threads - 1) / threads;
  double cutFrom = threads == 1 ? alonePieceNanoseconds : wholeShareNanoseconds;
  if (ofProgram >= 0 && ofProgram * static_cast<double>(share) < cutFrom)
    return share;
  int64_t most = std::max<int64_t>(1, programs / (int64_t(threads) * sharedPieces));
  return ofProgram * static_cast<double>(most) > pieceNanoseconds
             ? std::max<int64_t>(1, static_cast<int64_t>(pieceNanoseconds / ofProgram))
             : most;
}

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_PIECELENGTH_H
