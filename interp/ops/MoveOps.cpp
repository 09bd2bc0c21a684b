//===- MoveOps.cpp - operations that move elements ------------------------------------------------------===//
//
// What: cat, join, split, gather.
// Limits: an index outside its block reads zero; in the language that is undefined.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/BySize.h"
#include "interp/ops/Handlers.h"
#include <type_traits>

namespace trisect::interp {

namespace {

bool sameSplat(const Value &a, const Value &b) { return a.isSplat() && b.isSplat() && a.base == b.base; }

/// What a gather along one axis moves: source [outer][reach][inner], indices and result
/// [outer][length][inner].
struct GatherShape {
  int64_t outer, length, inner, reach;
};

template <typename T, typename Index>
void gatherElements(T *into, const T *from, const Index *indices, const GatherShape &shape) {
  for (int64_t o = 0; o < shape.outer; ++o, from += shape.reach * shape.inner)
    for (int64_t j = 0; j < shape.length; ++j)
      for (int64_t k = 0; k < shape.inner; ++k, ++into, ++indices) {
        int64_t index = int64_t(0) + *indices;
        *into = index >= 0 && index < shape.reach ? from[index * shape.inner + k] : T(0);
      }
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
  GatherShape shape{1, to.dims[axis], 1, from.dims[axis]};
  for (int d = 0; d < axis; ++d)
    shape.outer *= to.dims[d];
  for (int d = axis + 1; d < to.rank(); ++d)
    shape.inner *= to.dims[d];
  Value out;
  SlotId result = s.resultSlot(i);
  unsigned size = byteSize(s.type(result));
  out.setDense(s.pool.acquire(to.elements * size));
  bySize(size, [&](auto zero) {
    using T = decltype(zero);
    auto *in = reinterpret_cast<const T *>(source);
    auto *into = reinterpret_cast<T *>(out.data);
    bySize(byteSize(indexType), [&](auto unsignedZero) {
      using Index = std::make_signed_t<decltype(unsignedZero)>;
      gatherElements(into, in, reinterpret_cast<const Index *>(indices), shape);
    });
  });
  s.slot(result) = std::move(out);
}

} // namespace trisect::interp
