//===- Addresses.cpp - where lanes read and write -------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

Value Generator::block(DType type, int64_t number, const Shape &shape) {
  Value scalar{constant(type, number), {type, {}}, Open::Nothing};
  return shape.empty() ? scalar : splat(scalar, shape);
}

/// A pointer moved by a scalar.
std::string Generator::shifted(const std::string &base, DType element, const std::string &by,
                               const char *byType) {
  return hidden("tt.addptr " + base + ", " + by + " : !tt.ptr<" + std::string(name(element)) + ">, " +
                byType);
}

/// A pointer for each lane, `offsets` elements from `base`.
std::string Generator::address(const std::string &base, const Type &type, const Value &offsets) {
  if (type.scalar())
    return shifted(base, type.element, offsets.name, std::string(name(offsets.type.element)).c_str());
  std::string all =
      hidden("tt.splat " + base + " : " + Type{type.element, {}}.pointers() + " -> " + type.pointers());
  return hidden("tt.addptr " + all + ", " + offsets.name + " : " + type.pointers() + ", " +
                offsets.type.text());
}

/// Places anywhere in `extent` elements from `base`, by whatever integers there are.
Generator::Places Generator::anyPlaces(const Type &type, int64_t extent, const std::string &base) {
  DType element = choices.pick({DType::I32, DType::I64, DType::I16, DType::I8, DType::I32});
  Type index = type.of(element);
  Value raw = need(index, Open::Nothing);
  std::string text = " : " + index.text();
  auto moved = [&](int64_t by) { return shifted(base, type.element, constant(DType::I32, by), "i32"); };
  auto pair = [&](const char *op, const Value &a, const Value &b) {
    return Value{hidden(op + (" " + a.name) + ", " + b.name + text), index, Open::Nothing};
  };
  if (element == DType::I8 && extent >= 256 && choices.chance(70)) // every number is a place
    return {address(moved(extent / 2), type, raw), "", type};
  int64_t most = std::min<int64_t>(extent, element == DType::I8    ? 128
                                           : element == DType::I16 ? 32768
                                                                   : extent);
  int64_t low = choices.chance(50) ? most / 2 : 0;
  switch (choices.below(4)) {
  case 1: { // a mask
    std::string above =
        hidden("arith.cmpi sge, " + raw.name + ", " + block(element, -low, index.shape).name + text);
    std::string below = hidden("arith.cmpi sle, " + raw.name + ", " +
                               block(element, most - 1 - low, index.shape).name + text);
    std::string mask = hidden("arith.andi " + above + ", " + below + " : " + index.of(DType::I1).text());
    return {address(moved(low), type, raw), mask, type};
  }
  case 2: { // clamped
    Value least = pair("arith.maxsi", raw, block(element, -low, index.shape));
    return {
        address(moved(low), type, pair("arith.minsi", least, block(element, most - 1 - low, index.shape))),
        "", type};
  }
  case 3: // the remainder
    if (element != DType::I8)
      return {address(base, type, pair("arith.remui", raw, block(element, most, index.shape))), "", type};
    [[fallthrough]];
  default: // its low bits
    return {address(base, type, pair("arith.andi", raw, block(element, most - 1, index.shape))), "", type};
  }
}

/// A number for each lane that no other lane has, from `low` on, less than `low + extent`.
Value Generator::uniqueOffsets(const Shape &shape, int64_t &low, int64_t &extent) {
  Type type{DType::I32, shape};
  int64_t size = type.elements();
  low = 0;
  extent = size;
  Value at = linear(shape);
  std::string text = " : " + type.text();
  auto with = [&](const char *op, const Value &a, const Value &b) {
    return Value{hidden(op + (" " + a.name) + ", " + b.name + text), type, Open::Nothing};
  };
  auto number = [&](int64_t value) { return block(DType::I32, value, shape); };
  switch (choices.below(7)) {
  case 1: { // apart
    int64_t stride = choices.pick({2, 3, 5}), first = choices.from(0, 3);
    for (extent = 1; extent < size * stride + first; extent *= 2)
      ;
    return with("arith.addi", with("arith.muli", at, number(stride)), number(first));
  }
  case 2: // backwards
    return with("arith.subi", number(size - 1), at);
  case 3:
    return with("arith.xori", at, number(choices.below(static_cast<uint32_t>(size))));
  case 4: { // all over the place
    Value spread =
        with("arith.muli", at, number(choices.pick({int64_t(3), int64_t(7), int64_t(-5), int64_t(0x10001)})));
    Value sum = with("arith.addi", spread, number(nearALimit(DType::I32)));
    return with("arith.andi", sum, number(size - 1));
  }
  case 5: { // a narrow number that wraps around
    DType narrow = size > 256 || choices.chance(10) ? DType::I16 : DType::I8;
    low = narrow == DType::I8 ? -128 : -32768;
    extent = -2 * low;
    Type small = type.of(narrow);
    std::string cut = hidden("arith.trunci " + at.name + text + " to " + small.text());
    return {hidden("arith.addi " + cut + ", " + block(narrow, nearALimit(narrow), shape).name + " : " +
                   small.text()),
            small, Open::Nothing};
  }
  case 6: { // 64 bits
    Type wide = type.of(DType::I64);
    return {hidden("arith.extui " + at.name + text + " to " + wide.text()), wide, Open::Nothing};
  }
  default:
    return at;
  }
}

/// Places of this program's own, a different one for each lane.
Generator::Places Generator::ownPlaces(const Type &type) {
  int64_t low = 0, extent = 1;
  Value offsets{constant(DType::I32, 0), {DType::I32, {}}, Open::Nothing};
  if (!type.scalar())
    offsets = uniqueOffsets(type.shape, low, extent);
  return {address(regionOf(output(type.element, extent), low), type, offsets), "", type};
}

/// The region of this program, `low` before its first element.
std::string Generator::regionOf(const Output &out, int64_t low) {
  bool wide = choices.chance(40);
  DType element = wide ? DType::I64 : DType::I32;
  std::string id = wide ? hidden("arith.extsi %pid : i32 to i64") : "%pid", text(wide ? " : i64" : " : i32");
  std::string start = hidden("arith.muli " + id + ", " + constant(element, out.extent) + text);
  if (low)
    start = hidden("arith.subi " + start + ", " + constant(element, low) + text);
  return shifted(out.parameter, out.element, start, wide ? "i64" : "i32");
}

Generator::Output Generator::output(DType element, int64_t extent) {
  std::vector<Output> fit;
  for (const Output &out : outputs)
    if (out.element == element && out.extent == extent)
      fit.push_back(out);
  std::string type = Type{element, {}}.pointers();
  if (!fit.empty() && choices.chance(70)) {
    Output out = choices.pick(fit);
    if (choices.chance(25)) { // the same memory by another name
      out.parameter = parameter(type, "same " + std::to_string(out.argument));
      outputs.push_back(out);
    }
    return out;
  }
  Output out{"", result.arguments.size(), element, extent};
  int64_t all = extent * result.grid.programs();
  out.parameter =
      parameter(type, std::string(name(element)) + "[" + std::to_string(all) + "]:" +
                          (all > 8192 ? "fill(1)" : "randbits(" + std::to_string(choices.below(99)) + ")"));
  outputs.push_back(out);
  return out;
}

} // namespace trisect::fuzz
