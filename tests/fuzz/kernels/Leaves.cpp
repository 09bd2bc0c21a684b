//===- Leaves.cpp - constants, parameters, ranges -------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <cstdio>

namespace trisect::fuzz {

/// A value of the type, of the pool if it has one.
Value Generator::need(const Type &type, Open most) {
  auto found = take(80, [&](const Value &value) { return value.type == type && value.open <= most; });
  return found ? *found : leaf(type);
}

/// A value of the pool that fits, or one of the type.
Value Generator::any(bool (*fits)(const Value &), const Type &otherwise) {
  auto found = take(92, [&](const Value &value) { return fits(value) && (!scalars || value.type.scalar()); });
  return found ? *found : leaf(otherwise);
}

Value Generator::leaf(const Type &type) {
  bool float8 = isFloat8(type.element);
  uint32_t kind = choices.below(10);
  if (!helper && !scalars && (kind >= 6 || float8) && type.element != DType::I1)
    return loadInput(type);
  if (float8) {
    Value wide = leaf(type.of(DType::F16));
    return make(type, Open::NanBits,
                "tt.fp_to_fp " + wide.name + ", rounding = rtne : " + wide.type.text() + " -> " +
                    type.text());
  }
  if (kind >= 4 && kind < 6 && !type.scalar() && isInteger(type.element) && type.element != DType::I1)
    return converted(range(type.shape), type.element);
  if (kind >= 4 && !type.scalar() && type.element == DType::I1) {
    Value left = range(type.shape), right = splat(number(DType::I32, kind & 1), type.shape);
    return make(type, Open::Nothing,
                "arith.cmpi " + std::string(kind & 2 ? "slt" : "ult") + ", " + left.name + ", " + right.name +
                    " : " + left.type.text());
  }
  Value scalar = number(type.element, kind & 1);
  return type.scalar() ? scalar : splat(scalar, type.shape);
}

Value Generator::splat(const Value &scalar, const Shape &shape) {
  Type type = scalar.type.in(shape);
  return make(type, scalar.open,
              "tt.splat " + scalar.name + " : " + scalar.type.text() + " -> " + type.text());
}

/// Bits of a float that is telling.
std::string Generator::floatBits(DType type) {
  int digits = static_cast<int>(2 * byteSize(type));
  int mantissa = type == DType::F64 ? 52 : type == DType::F32 ? 23 : type == DType::F16 ? 10 : 7;
  int exponent = static_cast<int>(bitWidth(type)) - 1 - mantissa;
  uint64_t one = ((uint64_t(1) << (exponent - 1)) - 1) << mantissa;
  uint64_t infinity = ((uint64_t(1) << exponent) - 1) << mantissa;
  uint64_t sign = uint64_t(1) << (bitWidth(type) - 1);
  uint64_t bits = choices.pick({uint64_t(0), one, one + (uint64_t(1) << (mantissa - 1)), one + 1, one - 1,
                                one + (uint64_t(3) << mantissa), infinity - 1, infinity, uint64_t(1),
                                uint64_t(1) << mantissa, infinity | uint64_t(1) << (mantissa - 1)});
  if (choices.chance(40))
    bits |= sign;
  char text[32];
  std::snprintf(text, sizeof text, "0x%0*llX", digits, static_cast<unsigned long long>(bits));
  return text;
}

/// A scalar in the kernel's text or of its launch.
Value Generator::number(DType type, bool asParameter) {
  std::string spelled(name(type));
  if (isFloat(type)) {
    if (!asParameter || helper)
      return make({type, {}}, Open::Nothing, "arith.constant " + floatBits(type) + " : " + spelled);
    const char *text = choices.pick({"0", "1.5", "-2.25", "1e-3", "-0.0", "inf", "nan", "1e4", "3"});
    return keep({parameter(spelled, text), {type, {}}, Open::Nothing});
  }
  int64_t value = type == DType::I1 ? choices.below(2) : nearALimit(type);
  if (!asParameter || helper)
    return keep({constant(type, value), {type, {}}, Open::Nothing});
  return keep({parameter(spelled, std::to_string(value)), {type, {}}, Open::Nothing});
}

int64_t Generator::nearALimit(DType type) {
  unsigned width = bitWidth(type);
  int64_t place =
      choices.pick({int64_t(0), int64_t(3), int64_t(16), int64_t(1) << 7, int64_t(1) << 15, int64_t(1) << 31,
                    int64_t(1) << (width - 2), static_cast<int64_t>(uint64_t(1) << (width - 1))});
  auto value =
      static_cast<uint64_t>(place) +
      static_cast<uint64_t>(choices.pick({int64_t(1), int64_t(0), int64_t(-1), int64_t(2), int64_t(-3),
                                          int64_t(-16), int64_t(16), int64_t(-255), choices.from(0, 40)}));
  if (choices.chance(25))
    value = 0 - value;
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

DType Generator::anyInteger() {
  return choices.pick({DType::I32, DType::I64, DType::I8, DType::I16, DType::I32});
}
DType Generator::anyFloat() {
  return choices.pick({DType::F32, DType::F32, DType::F16, DType::BF16, DType::F64});
}

Shape Generator::anyShape() {
  if (scalars || choices.chance(12))
    return {};
  if (choices.chance(70))
    for (size_t n = pool.size(); n-- > 0;)
      if (!pool[n].type.scalar())
        return pool[n].type.shape;
  return choices.pick(shapes);
}

/// An i32 range along one dimension.
Value Generator::range(const Shape &shape) {
  auto axis = static_cast<size_t>(choices.below(static_cast<uint32_t>(shape.size())));
  int64_t extent = shape[axis];
  int64_t start = choices.pick({int64_t(0), int64_t(0), int64_t(1), int64_t(100), int64_t(120), int64_t(-5),
                                (int64_t(1) << 31) - 1 - extent});
  Shape grown = {extent};
  Value value = make({DType::I32, grown}, Open::Nothing,
                     "tt.make_range {end = " + std::to_string(start + extent) + " : i32, start = " +
                         std::to_string(start) + " : i32} : " + Type{DType::I32, grown}.text());
  for (size_t n = 0; n < shape.size(); ++n) {
    if (n == axis)
      continue;
    std::string from = value.type.text();
    grown.insert(n < axis ? grown.begin() : grown.end(), 1);
    value.type.shape = grown;
    value.name = hidden("tt.expand_dims " + value.name +
                        " {axis = " + std::to_string(n < axis ? 0 : grown.size() - 1) + " : i32} : " + from +
                        " -> " + value.type.text());
  }
  if (grown == shape)
    return keep(value);
  Type whole = value.type.in(shape);
  return make(whole, Open::Nothing,
              "tt.broadcast " + value.name + " : " + value.type.text() + " -> " + whole.text());
}

/// The row-major position of each element, i32.
Value Generator::linear(const Shape &shape) {
  Type type{DType::I32, shape}, flat{DType::I32, {type.elements()}};
  std::string positions = hidden("tt.make_range {end = " + std::to_string(type.elements()) +
                                 " : i32, start = 0 : i32} : " + flat.text());
  if (shape.size() > 1)
    positions = hidden("tt.reshape " + positions + " : " + flat.text() + " -> " + type.text());
  return {positions, type, Open::Nothing};
}

} // namespace trisect::fuzz
