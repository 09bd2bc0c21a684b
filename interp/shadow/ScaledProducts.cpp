//===- ScaledProducts.cpp - taints through products of microscaled operands -----------------------------===//
#include "core/support/Enums.h"
#include "interp/exec/Fetch.h"
#include "interp/shadow/Factors.h"
#include "interp/shadow/Transfer.h"

namespace trisect::interp {

namespace {

using Format = attr::ScaledFormat;

bool hasNan(Format format) {
  return format != Format::E2M3 && format != Format::E3M2 && format != Format::E2M1;
}

/// Where an element of a factor of dot_scaled lies: in which stored element, and in its upper half.
struct Packing {
  Format format;
  bool alongColumns; ///< neighbours in a row share a byte; else neighbours in a column
  int64_t rows, columns;

  int64_t stored(int64_t at) const {
    if (format != Format::E2M1)
      return at;
    return alongColumns ? at / 2 : at / columns / 2 * columns + at % columns;
  }
  bool upper(int64_t at) const { return alongColumns ? at & 1 : at / columns & 1; }
  bool isZero(const char *data, int64_t at) const {
    int64_t place = stored(at);
    if (format == Format::BF16 || format == Format::FP16) {
      uint16_t bits;
      std::memcpy(&bits, data + 2 * place, 2);
      return !(bits & 0x7fff);
    }
    auto byte = static_cast<uint8_t>(data[place]);
    if (format == Format::E2M1)
      return !((upper(at) ? byte >> 4 : byte) & 7);
    return !(byte & (hasNan(format) ? 127 : 31));
  }
};

} // namespace

void travelScaledProduct(Travel &travel, const Instr &i) {
  Instance &s = travel.s;
  // a, scale of a, b, scale of b, c; formats of a and b, whether they pack along K
  Taints known[5];
  bool any = false;
  for (unsigned n = 0; n < 5; ++n)
    if (s.has(i, n)) {
      known[n] = travel.operand(i, n);
      any |= known[n].tainted();
    }
  travel.clean(i);
  if (!any)
    return;
  const auto &facts = s.program.extra(i).ints;
  const Shape &left = s.shape(s.operandSlot(i, 0)), &shape = s.shape(s.resultSlot(i));
  size_t rank = shape.dims.size();
  auto formatA = static_cast<Format>(facts[0]), formatB = static_cast<Format>(facts[1]);
  Extents e{1, shape.dims[rank - 2], left.dims[rank - 1], shape.dims[rank - 1]};
  e.length *= formatA == Format::E2M1 && facts[2] ? 2 : 1;
  e.batches = shape.elements / e.rows / e.columns;
  Value keep[2];
  auto factor = [&](unsigned n, const Packing &packing) {
    const char *data = denseOperand(s, i, n, keep[n / 2]);
    const Taints &elements = known[n], &scales = known[n + 1];
    int64_t groups = s.has(i, n + 1) ? s.shape(s.operandSlot(i, n + 1)).dims.back() : 1;
    int64_t lines = n == 0 ? e.rows : e.columns, group = e.length / groups;
    Factor made;
    made.taint = [=, &elements, &scales](int64_t at) {
      if (Taint taint = undefinedOnly(elements.at(packing.stored(at))); taint || !scales.tainted())
        return taint;
      int64_t line = n == 0 ? at / e.length : at / (e.length * e.columns) * e.columns + at % e.columns;
      int64_t k = n == 0 ? at % e.length : at / e.columns % e.length;
      return line < lines * e.batches ? undefinedOnly(scales.at(line * groups + k / group)) : 0;
    };
    made.hides = [=](int64_t at) { return packing.isZero(data, at); };
    made.tainted = elements.tainted() || scales.tainted();
    made.canBeHidden = !hasNan(packing.format) && !scales.tainted();
    return made;
  };
  TaintLanes lanes(static_cast<size_t>(shape.elements), 0);
  for (int64_t at = 0; at < shape.elements; ++at)
    lanes[static_cast<size_t>(at)] = undefinedOnly(known[4].at(at));
  multiply(e, factor(0, {formatA, facts[2] != 0, e.rows, e.length}),
           factor(2, {formatB, facts[3] == 0, e.length, e.columns}), lanes);
  travel.of(s.resultSlot(i)).setLanes(std::move(lanes));
}

} // namespace trisect::interp
