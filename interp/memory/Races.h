//===- Races.h - who touched which byte last ------------------------------------------------------------===//
//
// What: for every element of memory that the launch may write, the access that wrote it last and the last
// ones that read it, of two programs; a conflict is an access of another program, one of both a write, that
// no chain of atomics orders. Why: a race must be found in whatever order the programs happened to run.
// Limits: memory that is only read is not tracked, nor is memory outside the tensors of the launch. Cells are
// as wide as the narrowest access of the program, so that neighbours never look like one.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_RACES_H
#define TRISECT_INTERP_MEMORY_RACES_H

#include "interp/memory/Memory.h"
#include "interp/memory/RaceCells.h"
#include "interp/memory/SyncLog.h"
#include "interp/memory/Views.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace trisect::interp {

/// One instruction of one program between two of its synchronisations.
struct AccessRecord {
  int64_t program = -1;
  uint32_t instr = 0;
  uint32_t time = 0; ///< position in the log of synchronisations
  bool atomic = false;
  bool writes = false;
};

class Races {
public:
  struct Conflict {
    AccessRecord other;
    int64_t element; ///< of the run
    bool sameValue;  ///< both write, and write the same
  };

  /// `written`: by argument, whether the program may write through it.
  /// `memory`: what values lie in; null for the process's own.
  Races(const Views &views, const std::vector<bool> &written, bool writesUnknown, unsigned cellBytes,
        MemoryPolicy *memory = nullptr);

  /// Whether accesses of this view are tracked.
  bool tracks(int32_t view) const { return regionOf[static_cast<size_t>(view)] >= 0; }

  /// The number of a new record; a program's records between two calls of others are neighbours.
  uint32_t begin(const AccessRecord &record);
  void synchronise(int64_t program, uint64_t address, uint8_t effect) { log.add(program, address, effect); }
  uint32_t now() const { return log.now(); }

  /// `count` elements of `size` bytes, `step` bytes apart. The first conflict, if any.
  std::optional<Conflict> read(int32_t view, uint32_t record, uint64_t address, int64_t step, unsigned size,
                               int64_t count);
  /// `values` are what will be written: `count` elements or, if `splat`, one. Null for a read-modify-write.
  std::optional<Conflict> write(int32_t view, uint32_t record, uint64_t address, int64_t step, unsigned size,
                                int64_t count, const char *values, bool splat);

private:
  struct Region {
    uint64_t low;
    RaceCells writer; ///< record of the last write; the top bit: of several different values
    RaceCells reader, otherReader;
  };
  /// Who accesses, and the first of the newest records that are all of its program.
  struct Accessor {
    AccessRecord me;
    uint32_t record, newest;
    bool foreign(uint32_t cell) const;
  };

  bool mine(uint32_t cell, const AccessRecord &me) const { return records[cell].program == me.program; }
  /// Whether the cell's access conflicts with mine.
  bool conflicts(uint32_t cell, const AccessRecord &me);
  Accessor accessor(uint32_t record) const;
  /// The first cell of a run whose access conflicts with mine, or -1.
  int64_t firstConflict(const RaceCells &cells, size_t first, int64_t count, const Accessor &by);
  void noteReads(Region &region, size_t first, int64_t count, const Accessor &by);
  Region *regionAt(int32_t view, uint64_t address, unsigned size, int64_t step);

  std::vector<Region> regions;
  std::vector<int32_t> regionOf;
  std::vector<AccessRecord> records;
  uint32_t batch = 1; ///< first of the newest records that are all of one program
  unsigned cellBytes;
  MemoryPolicy *memory;
  SyncLog log;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_RACES_H
