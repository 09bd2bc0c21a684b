//===- Races.cpp - cells of writers and readers ---------------------------------------------------------===//
//
// Cells that are free or hold records of the program that accesses now, which are neighbours, are passed
// without looking at a record.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/Races.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

namespace {

constexpr uint32_t varied = 0x80000000u;
/// Tensors beyond this are not tracked: their cells would need as much memory again.
constexpr uint64_t largest = uint64_t(1) << 34;

/// Calls visit(address, elements, element) for each run of neighbours.
template <typename Visit>
void forRuns(uint64_t address, int64_t step, unsigned size, int64_t count, Visit visit) {
  if (step == int64_t(size))
    return visit(address, count, int64_t(0));
  for (int64_t n = 0; n < count; ++n)
    visit(address + uint64_t(n) * uint64_t(step), int64_t(1), n);
}

} // namespace

Races::Races(const Views &views, const std::vector<bool> &written, bool writesUnknown, unsigned cellBytes,
             MemoryPolicy *memory)
    : regionOf(views.size(), -1), records(1), cellBytes(cellBytes), memory(memory) {
  std::vector<int32_t> order;
  for (size_t n = 0; n < views.size(); ++n)
    if (!views[static_cast<int32_t>(n)].extent.empty())
      order.push_back(static_cast<int32_t>(n));
  auto extent = [&](int32_t id) -> const Extent & { return views[id].extent; };
  std::sort(order.begin(), order.end(),
            [&](int32_t a, int32_t b) { return extent(a).low() < extent(b).low(); });
  // Views that overlap share one region, which is tracked if any of them may be written.
  for (size_t begin = 0; begin < order.size();) {
    uint64_t low = extent(order[begin]).low(), high = extent(order[begin]).high();
    size_t end = begin;
    bool touched = writesUnknown;
    while (end < order.size() && (end == begin || extent(order[end]).low() < high)) {
      high = std::max(high, extent(order[end]).high());
      unsigned argument = views[order[end]].view.argument;
      touched |= argument < written.size() && written[argument];
      ++end;
    }
    if (touched && high - low <= largest) {
      size_t cells = (high - low + cellBytes - 1) / cellBytes;
      Region region{low, RaceCells(cells), RaceCells(cells), RaceCells(cells)};
      if (region.writer.good() && region.reader.good() && region.otherReader.good()) {
        for (size_t n = begin; n < end; ++n)
          regionOf[static_cast<size_t>(order[n])] = static_cast<int32_t>(regions.size());
        regions.push_back(std::move(region));
      }
    }
    begin = end;
  }
}

uint32_t Races::begin(const AccessRecord &record) {
  if (records.back().program != record.program)
    batch = static_cast<uint32_t>(records.size());
  records.push_back(record);
  return static_cast<uint32_t>(records.size() - 1);
}

Races::Region *Races::regionAt(int32_t view, uint64_t address, unsigned size, int64_t step) {
  Region &region = regions[static_cast<size_t>(regionOf[static_cast<size_t>(view)])];
  bool whole = (address - region.low) % cellBytes == 0 && size % cellBytes == 0 && step % cellBytes == 0;
  return whole ? &region : nullptr;
}

bool Races::conflicts(uint32_t cell, const AccessRecord &me) {
  if (!cell || mine(cell, me))
    return false;
  const AccessRecord &other = records[cell];
  if (other.atomic && me.atomic)
    return false;
  return log.ordered(other.program, other.time, me.program, log.now()) == SyncLog::Answer::Unordered;
}

bool Races::Accessor::foreign(uint32_t cell) const { return cell && (cell & ~varied) < newest; }

Races::Accessor Races::accessor(uint32_t record) const {
  const AccessRecord &me = records[record];
  return {me, record, records.back().program == me.program ? batch : varied};
}

int64_t Races::firstConflict(const RaceCells &cells, size_t first, int64_t count, const Accessor &by) {
  int64_t found = -1;
  RaceCells::forBlocks(first, count, [&](size_t block, size_t offset, int64_t length, int64_t done) {
    uint32_t whole = cells.block(block);
    if (whole != RaceCells::mixed) {
      if (by.foreign(whole) && conflicts(whole & ~varied, by.me))
        found = done;
      return found < 0;
    }
    const uint32_t *each = cells.mixedCells(block) + offset;
    for (int64_t n = 0; n < length; ++n)
      if (by.foreign(each[n]) && conflicts(each[n] & ~varied, by.me)) {
        found = done + n;
        return false;
      }
    return true;
  });
  return found;
}

void Races::noteReads(Region &region, size_t first, int64_t count, const Accessor &by) {
  RaceCells &reader = region.reader, &other = region.otherReader;
  RaceCells::forBlocks(first, count, [&](size_t block, size_t offset, int64_t length, int64_t) {
    bool full = length == RaceCells::blockCells;
    uint32_t whole = reader.block(block);
    if (whole == RaceCells::mixed || !full) {
      uint32_t *each = reader.spread(block) + offset;
      uint32_t *others = nullptr;
      for (int64_t n = 0; n < length; ++n)
        if (by.foreign(each[n]) && !mine(each[n], by.me)) {
          others = others ? others : other.spread(block) + offset;
          others[n] = each[n];
        }
      std::fill_n(each, length, by.record);
    } else if (by.foreign(whole) && !mine(whole, by.me)) {
      other.setBlock(block, whole);
    }
    if (full)
      reader.setBlock(block, by.record);
    return true;
  });
}

std::optional<Races::Conflict> Races::read(int32_t view, uint32_t record, uint64_t address, int64_t step,
                                           unsigned size, int64_t count) {
  Region *region = regionAt(view, address, size, step);
  if (!region)
    return std::nullopt;
  const Accessor by = accessor(record);
  unsigned each = size / cellBytes;
  std::optional<Conflict> found;
  auto visit = [&](uint64_t at, int64_t elements, int64_t element) {
    int64_t cells = elements * each;
    size_t first = (at - region->low) / cellBytes;
    int64_t cell = found ? -1 : firstConflict(region->writer, first, cells, by);
    if (cell >= 0) {
      uint32_t other = region->writer.at(first + static_cast<size_t>(cell)) & ~varied;
      found = Conflict{records[other], element + cell / each, false};
    }
    noteReads(*region, first, cells, by);
  };
  forRuns(address, step, size, count, visit);
  return found;
}

std::optional<Races::Conflict> Races::write(int32_t view, uint32_t record, uint64_t address, int64_t step,
                                            unsigned size, int64_t count, const char *values, bool splat) {
  Region *region = regionAt(view, address, size, step);
  if (!region)
    return std::nullopt;
  const Accessor by = accessor(record);
  const AccessRecord &me = by.me;
  unsigned each = size / cellBytes;
  std::optional<Conflict> found;
  auto differs = [&](int64_t element, int64_t part) {
    if (!values)
      return true;
    const char *fresh = values + (splat ? 0 : element * size) + part * cellBytes;
    uint64_t old = address + uint64_t(element) * uint64_t(step) + uint64_t(part) * cellBytes;
    if (!memory)
      return std::memcmp(fresh, reinterpret_cast<const void *>(old), cellBytes) != 0;
    char held[8];
    memory->read({}, old, held, cellBytes);
    return std::memcmp(fresh, held, cellBytes) != 0;
  };
  // The number of a cell that is written after what `old` says; `n`: the cell, counted from `element`.
  auto written = [&](uint32_t old, int64_t element, int64_t n) {
    uint32_t cell = old & ~varied;
    bool several = old & varied;
    if (!cell)
      return record;
    if (mine(cell, me)) {
      // A plain write stays the one that others may race with.
      if (me.atomic && !records[cell].atomic)
        return old;
      return several || (values && differs(element + n / each, n % each)) ? record | varied : record;
    }
    if ((found && !found->sameValue) || !conflicts(cell, me))
      return record;
    bool same = !several && !records[cell].atomic && !me.atomic && !differs(element + n / each, n % each);
    if (!found || !same)
      found = Conflict{records[cell], element + n / each, same};
    return same ? old : record;
  };
  auto visit = [&](uint64_t at, int64_t elements, int64_t element) {
    int64_t cells = elements * each;
    size_t first = (at - region->low) / cellBytes;
    for (const RaceCells *readers : {&region->reader, &region->otherReader})
      if (int64_t cell = found ? -1 : firstConflict(*readers, first, cells, by); cell >= 0)
        found =
            Conflict{records[readers->at(first + static_cast<size_t>(cell))], element + cell / each, false};
    RaceCells &writer = region->writer;
    RaceCells::forBlocks(first, cells, [&](size_t block, size_t offset, int64_t length, int64_t done) {
      if (length == RaceCells::blockCells && !writer.block(block)) {
        writer.setBlock(block, record);
        return true;
      }
      uint32_t *numbers = writer.spread(block) + offset;
      bool equal = true;
      for (int64_t n = 0; n < length; ++n) {
        numbers[n] = written(numbers[n], element, done + n);
        equal &= numbers[n] == numbers[0];
      }
      if (equal && length == RaceCells::blockCells)
        writer.setBlock(block, numbers[0]);
      return true;
    });
  };
  forRuns(address, step, size, count, visit);
  return found;
}

} // namespace trisect::interp
