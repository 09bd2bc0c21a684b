//===- MoveOps.cpp - operations that move elements ------------------------------------------------------===//
//
// What: cat, join, split, gather.
// Limits: an index outside its block reads zero; in the language that is undefined.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Handlers.h"
#include <algorithm>

namespace trisect::interp {

namespace {

template <typename F> void bySize(unsigned size, F f) {
  switch (size) {
  case 1:
    return f(uint8_t());
  case 2:
    return f(uint16_t());
  case 4:
    return f(uint32_t());
  default:
    return f(uint64_t());
  }
}

bool sameSplat(const Value &a, const Value &b) { return a.isSplat() && b.isSplat() && a.base == b.base; }

int64_t readInt(const char *data, DType type, int64_t at) {
  uint64_t bits = 0;
  unsigned size = byteSize(type);
  std::memcpy(&bits, data + at * size, size);
  return signedBits(bits, type);
}

} // namespace

void cat(Instance &s, const Instr &i) {
  if (sameSplat(s.operand(i, 0), s.operand(i, 1))) {
    Value kept = s.operand(i, 0);
    s.result(i) = std::move(kept);
    return;
  }
  Value keep[2];
  const char *parts[] = {denseOperand(s, i, 0, keep[0]), denseOperand(s, i, 1, keep[1])};
  Value out;
  SlotId result = s.resultSlot(i);
  unsigned size = byteSize(s.type(result));
  out.setDense(s.pool.acquire(s.program.elements(result) * size));
  char *into = out.data;
  for (unsigned n = 0; n < 2; ++n) {
    int64_t bytes = s.program.elements(s.operandSlot(i, n)) * size;
    std::memcpy(into, parts[n], bytes);
    into += bytes;
  }
  s.slot(result) = std::move(out);
}

void join(Instance &s, const Instr &i) {
  if (sameSplat(s.operand(i, 0), s.operand(i, 1))) {
    Value kept = s.operand(i, 0);
    s.result(i) = std::move(kept);
    return;
  }
  Value keep[2];
  const char *left = denseOperand(s, i, 0, keep[0]), *right = denseOperand(s, i, 1, keep[1]);
  int64_t count = s.program.elements(s.operandSlot(i, 0));
  Value out;
  SlotId result = s.resultSlot(i);
  unsigned size = byteSize(s.type(result));
  out.setDense(s.pool.acquire(2 * count * size));
  bySize(size, [&](auto zero) {
    using T = decltype(zero);
    auto *to = reinterpret_cast<T *>(out.data);
    auto *a = reinterpret_cast<const T *>(left), *b = reinterpret_cast<const T *>(right);
    for (int64_t n = 0; n < count; ++n) {
      to[2 * n] = a[n];
      to[2 * n + 1] = b[n];
    }
  });
  s.slot(result) = std::move(out);
}

void split(Instance &s, const Instr &i) {
  if (s.operand(i, 0).isSplat()) {
    uint64_t bits = s.operand(i, 0).base;
    s.result(i, 0).setSplat(bits);
    s.result(i, 1).setSplat(bits);
    return;
  }
  Value keep;
  const char *from = denseOperand(s, i, 0, keep);
  SlotId first = s.resultSlot(i, 0);
  int64_t count = s.program.elements(first);
  unsigned size = byteSize(s.type(first));
  Value out[2];
  for (Value &each : out)
    each.setDense(s.pool.acquire(count * size));
  bySize(size, [&](auto zero) {
    using T = decltype(zero);
    auto *in = reinterpret_cast<const T *>(from);
    auto *a = reinterpret_cast<T *>(out[0].data), *b = reinterpret_cast<T *>(out[1].data);
    for (int64_t n = 0; n < count; ++n) {
      a[n] = in[2 * n];
      b[n] = in[2 * n + 1];
    }
  });
  for (unsigned n = 0; n < 2; ++n) {
    if (s.shape(s.resultSlot(i, n)).rank() == 0) {
      uint64_t bits = 0;
      std::memcpy(&bits, out[n].data, size);
      out[n].setSplat(bits);
    }
    s.result(i, n) = std::move(out[n]);
  }
}

void gather(Instance &s, const Instr &i) {
  Value keep[2];
  const char *source = denseOperand(s, i, 0, keep[0]), *indices = denseOperand(s, i, 1, keep[1]);
  const Shape &from = s.shape(s.operandSlot(i, 0));
  const Shape &to = s.shape(s.operandSlot(i, 1));
  DType indexType = s.type(s.operandSlot(i, 1));
  int axis = static_cast<int>(i.attribute);
  int64_t outer = 1, inner = 1;
  for (int d = 0; d < axis; ++d)
    outer *= to.dims[d];
  for (int d = axis + 1; d < to.rank(); ++d)
    inner *= to.dims[d];
  int64_t length = to.dims[axis], reach = from.dims[axis];
  Value out;
  SlotId result = s.resultSlot(i);
  unsigned size = byteSize(s.type(result));
  out.setDense(s.pool.acquire(to.elements * size));
  bySize(size, [&](auto zero) {
    using T = decltype(zero);
    auto *in = reinterpret_cast<const T *>(source);
    auto *into = reinterpret_cast<T *>(out.data);
    int64_t at = 0;
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t j = 0; j < length; ++j)
        for (int64_t k = 0; k < inner; ++k, ++at) {
          int64_t index = readInt(indices, indexType, at);
          into[at] = index >= 0 && index < reach ? in[(o * reach + index) * inner + k] : T(0);
        }
  });
  s.slot(result) = std::move(out);
}

} // namespace trisect::interp
