//===- Products.cpp - taints through matrix products ----------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/shadow/Factors.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

void multiply(const Extents &e, const Factor &a, const Factor &b, TaintLanes &lanes) {
  auto lane = [&](int64_t batch, int64_t m, int64_t n) -> Taint & {
    return lanes[static_cast<size_t>((batch * e.rows + m) * e.columns + n)];
  };
  for (int64_t batch = 0; a.tainted && batch < e.batches; ++batch)
    for (int64_t m = 0; m < e.rows; ++m)
      for (int64_t k = 0; k < e.length; ++k) {
        Taint taint = a.taint((batch * e.rows + m) * e.length + k);
        if (!taint)
          continue;
        for (int64_t n = 0; n < e.columns; ++n) {
          Taint &known = lane(batch, m, n);
          int64_t other = (batch * e.length + k) * e.columns + n;
          if (!known && !(a.canBeHidden && b.hides(other) && !b.taint(other)))
            known = taint;
        }
        if (!a.canBeHidden)
          break; // the whole row
      }
  std::vector<bool> whole(static_cast<size_t>(e.columns));
  for (int64_t batch = 0; b.tainted && batch < e.batches; ++batch) {
    whole.assign(whole.size(), false);
    for (int64_t k = 0; k < e.length; ++k)
      for (int64_t n = 0; n < e.columns; ++n) {
        if (whole[static_cast<size_t>(n)])
          continue;
        Taint taint = b.taint((batch * e.length + k) * e.columns + n);
        if (!taint)
          continue;
        whole[static_cast<size_t>(n)] = !b.canBeHidden;
        for (int64_t m = 0; m < e.rows; ++m) {
          Taint &known = lane(batch, m, n);
          int64_t other = (batch * e.rows + m) * e.length + k;
          if (!known && !(b.canBeHidden && a.hides(other) && !a.taint(other)))
            known = taint;
        }
      }
  }
}

void travelProduct(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  const Taints a = travel.operand(i, 0), b = travel.operand(i, 1), c = travel.operand(i, 2);
  travel.clean(i);
  Taints &result = travel.of(s.resultSlot(i));
  if (!a.tainted() && !b.tainted()) {
    result.all = undefinedOnly(c.all);
    result.lanes = c.lanes;
    return;
  }
  const Shape &left = s.shape(s.operandSlot(i, 0)), &shape = s.shape(s.resultSlot(i));
  size_t rank = shape.dims.size();
  Extents extents{1, shape.dims[rank - 2], left.dims[rank - 1], shape.dims[rank - 1]};
  extents.batches = shape.elements / extents.rows / extents.columns;
  Value keep[2];
  auto factor = [&](unsigned n, const Taints &known) {
    const char *data = denseOperand(s, i, n, keep[n]);
    DType type = s.type(s.operandSlot(i, n));
    unsigned size = byteSize(type);
    Factor made;
    made.taint = [&known](int64_t at) { return undefinedOnly(known.at(at)); };
    made.hides = [data, size](int64_t at) {
      uint64_t bits = 0;
      std::memcpy(&bits, data + at * size, size);
      return bits == 0;
    };
    made.tainted = known.tainted();
    made.canBeHidden = !isFloat(type);
    return made;
  };
  TaintLanes lanes(static_cast<size_t>(shape.elements), 0);
  for (int64_t at = 0; at < shape.elements; ++at)
    lanes[static_cast<size_t>(at)] = undefinedOnly(c.at(at));
  multiply(extents, factor(0, a), factor(1, b), lanes);
  result.setLanes(std::move(lanes));
}

} // namespace trisect::interp
