//===- HistogramOps.cpp - counting values ---------------------------------------------------------------===//
//
// What: counts how often each value 0, 1, ... occurs in a block. Neighbouring elements count in tables of
// their own, added up at the end: equal neighbours would otherwise wait for each other's store. Elements that
// do not count go to a bin of their own, so that the loop has no branch.
// Limits: a value outside the bins is not counted; in the language that is undefined.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/Handlers.h"
#include <algorithm>

namespace trisect::interp {

namespace {

constexpr int64_t ways = 4;         ///< tables, where they are small enough to stay in the first-level cache
constexpr int64_t mostSplit = 1024; ///< bins up to which there are several tables

template <class In, bool masked>
void count(uint32_t *tables, int64_t pitch, int64_t numTables, const In *input, const uint8_t *mask,
           int64_t n, uint64_t bins) {
  auto bin = [&](int64_t at) {
    const auto value = static_cast<uint64_t>(static_cast<int64_t>(input[at]));
    const uint64_t inside = value < bins ? value : bins;
    return masked && !mask[at] ? bins : inside;
  };
  int64_t at = 0;
  if (numTables == ways)
    for (; at + ways <= n; at += ways)
      for (int64_t way = 0; way < ways; ++way)
        ++tables[way * pitch + static_cast<int64_t>(bin(at + way))];
  for (; at < n; ++at)
    ++tables[bin(at)];
}

template <class In>
void countAll(uint32_t *tables, int64_t pitch, int64_t numTables, const char *input, const char *mask,
              int64_t n, int64_t bins) {
  const auto *values = reinterpret_cast<const In *>(input);
  const auto *active = reinterpret_cast<const uint8_t *>(mask);
  if (mask)
    count<In, true>(tables, pitch, numTables, values, active, n, static_cast<uint64_t>(bins));
  else
    count<In, false>(tables, pitch, numTables, values, active, n, static_cast<uint64_t>(bins));
}

/// out[bin] = the sum over tables.
template <class T>
void sum(char *out, const uint32_t *tables, int64_t pitch, int64_t numTables, int64_t bins) {
  auto *into = reinterpret_cast<T *>(out);
  for (int64_t bin = 0; bin < bins; ++bin) {
    uint32_t total = 0;
    for (int64_t way = 0; way < numTables; ++way)
      total += tables[way * pitch + bin];
    into[bin] = static_cast<T>(total);
  }
}

} // namespace

void histogram(Instance &s, const Instr &i) {
  Value keep[2], memory, out;
  const char *input = denseOperand(s, i, 0, keep[0]);
  const char *mask = s.has(i, 1) ? denseOperand(s, i, 1, keep[1]) : nullptr;
  int64_t n = s.program.elements(s.operandSlot(i, 0));
  SlotId result = s.resultSlot(i);
  int64_t bins = s.program.elements(result), numTables = bins <= mostSplit ? ways : 1;
  int64_t pitch = bins + 16; // room for the bin that does not count; tables start on lines of their own
  unsigned size = byteSize(s.type(result));
  memory.setDense(s.pool.acquire(numTables * pitch * int64_t(sizeof(uint32_t))));
  auto *tables = reinterpret_cast<uint32_t *>(memory.data);
  std::fill_n(tables, numTables * pitch, 0u);
  switch (byteSize(s.type(s.operandSlot(i, 0)))) {
  case 1:
    countAll<int8_t>(tables, pitch, numTables, input, mask, n, bins);
    break;
  case 2:
    countAll<int16_t>(tables, pitch, numTables, input, mask, n, bins);
    break;
  case 4:
    countAll<int32_t>(tables, pitch, numTables, input, mask, n, bins);
    break;
  default:
    countAll<int64_t>(tables, pitch, numTables, input, mask, n, bins);
  }
  out.setDense(s.pool.acquire(bins * size));
  switch (size) {
  case 1:
    sum<uint8_t>(out.data, tables, pitch, numTables, bins);
    break;
  case 2:
    sum<uint16_t>(out.data, tables, pitch, numTables, bins);
    break;
  case 4:
    sum<uint32_t>(out.data, tables, pitch, numTables, bins);
    break;
  default:
    sum<uint64_t>(out.data, tables, pitch, numTables, bins);
  }
  s.slot(result) = std::move(out);
}

} // namespace trisect::interp
