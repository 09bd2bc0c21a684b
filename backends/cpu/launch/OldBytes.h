//===- OldBytes.h - what a program wrote over -----------------------------------------------------------===//
//
// What: keeps the bytes that one program at a time is about to write over, and puts them back. Why: a program
// that comes to a path which was never compared, after it has written, can end there as if it had not begun.
// Limits: so many bytes of one program; beyond these it goes on. What another program wrote to the same place
// meanwhile is written over: such programs have no one right answer.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_OLDBYTES_H
#define TRISECT_BACKENDS_CPU_LAUNCH_OLDBYTES_H

#include "backends/cpu/AssertHook.h"
#include <vector>

namespace trisect::cpu {

class OldBytes {
public:
  /// For AssertHook::keep and AssertHook::keepLanes.
  static void keep(AssertHook *hook, const void *address, int64_t bytes, uint64_t on) noexcept;
  static void keepLanes(AssertHook *hook, const uint64_t *addresses, int64_t bytes, uint64_t on) noexcept;

  /// False if there was no room for all that the program wrote.
  bool whole() const { return !overflown; }
  /// The latest first.
  void putBack();

private:
  struct Piece {
    char *address;
    size_t at, bytes;
  };
  void begin(AssertHook *hook);
  void add(uint64_t address, size_t bytes) noexcept;
  bool grow(size_t bytes) noexcept;

  std::vector<Piece> pieces;
  std::vector<char> kept; ///< room; the first `used` bytes count
  size_t used = 0;
  const char *end = nullptr; ///< of what the last piece covers
  bool overflown = false;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_OLDBYTES_H
