//===- Races.cpp - cells of writers and readers ---------------------------------------------------------===//
//
// A run of cells that are free or hold records of the program that accesses now, which are neighbours, is
// found without looking at a record. Only other runs are looked at cell by cell.
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

/// Whether all cells are free or hold a record from `first` on. `occupied`: any is not free.
bool allMine(const uint32_t *cells, int64_t count, uint32_t first, bool &occupied) {
  uint32_t foreign = 0, any = 0;
  for (int64_t n = 0; n < count; ++n) {
    uint32_t cell = cells[n];
    any |= cell;
    foreign |= uint32_t(cell != 0) & uint32_t((cell & ~varied) < first);
  }
  occupied = any != 0;
  return foreign == 0;
}

} // namespace

Races::Races(const Views &views, const std::vector<bool> &written, bool writesUnknown, unsigned cellBytes)
    : regionOf(views.size(), -1), records(1), cellBytes(cellBytes) {
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
      auto make = [&] { return Cells(static_cast<uint32_t *>(std::calloc(cells, sizeof(uint32_t)))); };
      Region region{low, high, make(), make(), make()};
      if (region.writer && region.reader && region.otherReader) {
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

std::optional<Races::Conflict> Races::read(int32_t view, uint32_t record, uint64_t address, int64_t step,
                                           unsigned size, int64_t count) {
  Region *region = regionAt(view, address, size, step);
  if (!region)
    return std::nullopt;
  const AccessRecord me = records[record];
  uint32_t newest = records.back().program == me.program ? batch : varied;
  unsigned each = size / cellBytes;
  std::optional<Conflict> found;
  auto visit = [&](uint64_t at, int64_t cells, int64_t element, unsigned perElement) {
    size_t first = (at - region->low) / cellBytes;
    uint32_t *writer = region->writer.get() + first, *reader = region->reader.get() + first;
    bool occupied;
    if (!allMine(writer, cells, newest, occupied) && !found)
      for (int64_t n = 0; n < cells && !found; ++n)
        if (conflicts(writer[n] & ~varied, me))
          found = Conflict{records[writer[n] & ~varied], element + n / perElement, false};
    if (!allMine(reader, cells, newest, occupied)) {
      uint32_t *other = region->otherReader.get() + first;
      for (int64_t n = 0; n < cells; ++n)
        if (reader[n] && !mine(reader[n], me))
          other[n] = reader[n];
    }
    std::fill_n(reader, cells, record);
  };
  if (step == int64_t(size)) {
    visit(address, count * each, 0, each);
    return found;
  }
  for (int64_t n = 0; n < count; ++n)
    visit(address + uint64_t(n) * uint64_t(step), each, n, each);
  return found;
}

std::optional<Races::Conflict> Races::write(int32_t view, uint32_t record, uint64_t address, int64_t step,
                                            unsigned size, int64_t count, const char *values, bool splat) {
  Region *region = regionAt(view, address, size, step);
  if (!region)
    return std::nullopt;
  const AccessRecord me = records[record];
  uint32_t newest = records.back().program == me.program ? batch : varied;
  unsigned each = size / cellBytes;
  std::optional<Conflict> found;
  auto differs = [&](int64_t element, int64_t part) {
    if (!values)
      return true;
    const char *fresh = values + (splat ? 0 : element * size) + part * cellBytes;
    uint64_t old = address + uint64_t(element) * uint64_t(step) + uint64_t(part) * cellBytes;
    return std::memcmp(fresh, reinterpret_cast<const void *>(old), cellBytes) != 0;
  };
  auto visit = [&](uint64_t at, int64_t cells, int64_t element) {
    size_t first = (at - region->low) / cellBytes;
    uint32_t *writer = region->writer.get() + first;
    uint32_t *readers[] = {region->reader.get() + first, region->otherReader.get() + first};
    bool occupied, ignored;
    allMine(writer, cells, newest, occupied);
    for (uint32_t *reader : readers)
      if (!found && !allMine(reader, cells, newest, ignored))
        for (int64_t n = 0; n < cells && !found; ++n)
          if (conflicts(reader[n], me))
            found = Conflict{records[reader[n]], element + n / each, false};
    if (!occupied) {
      std::fill_n(writer, cells, record);
      return;
    }
    for (int64_t n = 0; n < cells; ++n) {
      uint32_t cell = writer[n] & ~varied;
      bool several = writer[n] & varied;
      uint32_t next = record;
      if (cell) {
        bool changes = differs(element + n / each, n % each);
        if (mine(cell, me)) {
          // A plain write stays the one that others may race with.
          if (me.atomic && !records[cell].atomic)
            next = writer[n];
          else if (several || (changes && values))
            next |= varied;
        } else if ((!found || found->sameValue) && conflicts(cell, me)) {
          bool same = !changes && !several && !records[cell].atomic && !me.atomic;
          if (!found || !same)
            found = Conflict{records[cell], element + n / each, same};
          if (same)
            next = writer[n];
        }
      }
      writer[n] = next;
    }
  };
  if (step == int64_t(size)) {
    visit(address, count * each, 0);
    return found;
  }
  for (int64_t n = 0; n < count; ++n)
    visit(address + uint64_t(n) * uint64_t(step), each, n);
  return found;
}

} // namespace trisect::interp
