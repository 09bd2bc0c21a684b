//===- ShadowProducts.cpp - taints through matrix products ----------------------------------------------===//
//
// An element of a product depends on a row of one factor and a column of the other. Zero times an undefined
// float may be NaN, so that nothing absorbs it; zero times an undefined integer, or small float without NaN,
// is zero.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/shadow/Shadow.h"
#include <functional>

namespace trisect::interp {

namespace {

/// Undefined values alone go on: a sum of wrapped numbers is nobody's address.
Taint valueOnly(Taint taint) { return mattersAsAddress(taint) ? 0 : taint; }

struct Extents {
  int64_t batches, rows, length, columns;
};

/// One factor: the taint of an element, and whether it is a zero that hides what it is multiplied with.
struct Factor {
  std::function<Taint(int64_t at)> taint;
  std::function<bool(int64_t at)> hides;
  bool tainted = false;
  bool canBeHidden = false; ///< a tainted element is a finite number, whatever it is
};

/// Adds to `lanes` what reaches each element of the product.
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

/// The formats of dot_scaled, by their numbers in TTIR.
enum class Format : int64_t { E4M3, E5M2, E2M3, E3M2, E2M1, BF16, FP16 };

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

void Shadow::product(const Instr &i) {
  const Shade a = shadeOf(i, 0), b = shadeOf(i, 1), c = shadeOf(i, 2);
  cleanResults(i);
  Shade &result = shade(s.resultSlot(i));
  if (!a.tainted() && !b.tainted()) {
    result.all = valueOnly(c.all);
    result.lanes = c.lanes;
    return;
  }
  const Shape &left = s.shape(s.operandSlot(i, 0)), &shape = s.shape(s.resultSlot(i));
  size_t rank = shape.dims.size();
  Extents extents{1, shape.dims[rank - 2], left.dims[rank - 1], shape.dims[rank - 1]};
  extents.batches = shape.elements / extents.rows / extents.columns;
  Value keep[2];
  auto factor = [&](unsigned n, const Shade &known) {
    const char *data = denseOperand(s, i, n, keep[n]);
    DType type = s.type(s.operandSlot(i, n));
    unsigned size = byteSize(type);
    Factor made;
    made.taint = [&known](int64_t at) { return valueOnly(known.at(at)); };
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
    lanes[static_cast<size_t>(at)] = valueOnly(c.at(at));
  multiply(extents, factor(0, a), factor(1, b), lanes);
  result.setLanes(std::move(lanes));
}

void Shadow::scaledProduct(const Instr &i) {
  // a, scale of a, b, scale of b, c; formats of a and b, whether they pack along K
  Shade shade[5];
  bool any = false;
  for (unsigned n = 0; n < 5; ++n)
    if (s.has(i, n)) {
      shade[n] = shadeOf(i, n);
      any |= shade[n].tainted();
    }
  cleanResults(i);
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
    const Shade &elements = shade[n], &scales = shade[n + 1];
    int64_t groups = s.has(i, n + 1) ? s.shape(s.operandSlot(i, n + 1)).dims.back() : 1;
    int64_t lines = n == 0 ? e.rows : e.columns, group = e.length / groups;
    Factor made;
    made.taint = [=, &elements, &scales](int64_t at) {
      if (Taint taint = valueOnly(elements.at(packing.stored(at))); taint || !scales.tainted())
        return taint;
      int64_t line = n == 0 ? at / e.length : at / (e.length * e.columns) * e.columns + at % e.columns;
      int64_t k = n == 0 ? at % e.length : at / e.columns % e.length;
      return line < lines * e.batches ? valueOnly(scales.at(line * groups + k / group)) : 0;
    };
    made.hides = [=](int64_t at) { return packing.isZero(data, at); };
    made.tainted = elements.tainted() || scales.tainted();
    made.canBeHidden = !hasNan(packing.format) && !scales.tainted();
    return made;
  };
  TaintLanes lanes(static_cast<size_t>(shape.elements), 0);
  for (int64_t at = 0; at < shape.elements; ++at)
    lanes[static_cast<size_t>(at)] = valueOnly(shade[4].at(at));
  multiply(e, factor(0, {formatA, facts[2] != 0, e.rows, e.length}),
           factor(2, {formatB, facts[3] == 0, e.length, e.columns}), lanes);
  this->shade(s.resultSlot(i)).setLanes(std::move(lanes));
}

} // namespace trisect::interp
