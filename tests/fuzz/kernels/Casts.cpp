//===- Casts.cpp - between element types ----------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

namespace {
bool isAnything(const Value &) { return true; }
} // namespace

/// Float to integer, within what the integer holds.
Value Generator::toInteger(const Value &value, DType to) {
  const Type &type = value.type;
  bool isSigned = choices.chance(60);
  double bound = std::min(static_cast<double>(uint64_t(1) << (bitWidth(to) - 2)), 32768.0);
  auto limit = [&](double number) {
    Value scalar{hidden("arith.constant " + std::to_string(number) + " : " + std::string(name(type.element))),
                 {type.element, {}},
                 Open::Nothing};
    return type.scalar() ? scalar : splat(scalar, type.shape);
  };
  Value low = limit(isSigned ? -bound : 0), high = limit(bound);
  std::string clamped = hidden("tt.clampf " + value.name + ", " + low.name + ", " + high.name +
                               ", propagateNan = none : " + type.text());
  return make(type.of(to), value.open == Open::Value ? Open::Value : Open::Nothing,
              std::string(isSigned ? "arith.fptosi " : "arith.fptoui ") + clamped + " : " + type.text() +
                  " to " + type.of(to).text());
}

Value Generator::converted(const Value &value, DType to) {
  DType from = value.type.element;
  Type type = value.type.of(to);
  std::string both = " " + value.name + " : " + value.type.text() + " to " + type.text();
  if (from == to)
    return value;
  if (isInteger(from) && isInteger(to)) {
    bool widens = bitWidth(to) > bitWidth(from);
    bool isSigned = widens && choices.chance(50);
    return make(type, value.open,
                (widens ? isSigned ? "arith.extsi" : "arith.extui" : "arith.trunci") + both);
  }
  if (isFloat8(from) || isFloat8(to)) {
    if (isInteger(from))
      return converted(converted(value, DType::F32), to);
    if (isInteger(to) || (isFloat8(from) && isFloat8(to)))
      return converted(converted(value, DType::F32), to);
    if (from == DType::F64 || to == DType::F64)
      return converted(converted(value, DType::F32), to);
    std::string rounding =
        isFloat8(to) ? std::string(", rounding = ") + choices.pick({"rtne", "rtne", "rtz"}) : "";
    if (isFloat8(to) && rounding.ends_with("rtz") && to != DType::F8E5M2)
      rounding = ", rounding = rtne";
    return make(type, std::max(value.open, Open::NanBits),
                "tt.fp_to_fp " + value.name + rounding + " : " + value.type.text() + " -> " + type.text());
  }
  if (isInteger(from)) {
    bool isSigned = choices.chance(50);
    return make(type, value.open, (isSigned ? "arith.sitofp" : "arith.uitofp") + both);
  }
  if (isInteger(to))
    return to == DType::I1 ? converted(toInteger(value, DType::I8), to) : toInteger(value, to);
  bool widens = bitWidth(to) > bitWidth(from);
  Open open = std::max(value.open, Open::NanBits);
  if (bitWidth(to) == bitWidth(from)) // f16 and bf16
    return converted(converted(value, DType::F32), to);
  if (choices.chance(35))
    return make(type, open,
                "tt.fp_to_fp " + value.name +
                    (widens ? "" : std::string(", rounding = ") + choices.pick({"rtne", "rtz"})) + " : " +
                    value.type.text() + " -> " + type.text());
  return make(type, open, (widens ? "arith.extf" : "arith.truncf") + both);
}

void Generator::cast() {
  Value value = any(isAnything, anyType(anyInteger()));
  DType from = value.type.element;
  if (choices.chance(15)) { // the same bits as another type
    static constexpr DType same[][2] = {{DType::I16, DType::F16},
                                        {DType::I16, DType::BF16},
                                        {DType::F16, DType::BF16},
                                        {DType::I32, DType::F32},
                                        {DType::I64, DType::F64}};
    const char *op = choices.pick({"arith.bitcast", "tt.bitcast"});
    for (const auto &pair : same)
      for (bool back : {false, true}) {
        if (pair[back] != from || choices.chance(30))
          continue;
        Type type = value.type.of(pair[!back]);
        Open open = value.open == Open::Nothing ? Open::Nothing : Open::Value;
        make(type, open,
             op + (" " + value.name) + " : " + value.type.text() + (op[0] == 'a' ? " to " : " -> ") +
                 type.text());
        return;
      }
  }
  converted(value, choices.pick({DType::I64, DType::I8, DType::I16, DType::I32, DType::F32, DType::F16,
                                 DType::BF16, DType::F64, DType::I1, DType::F8E5M2, DType::F8E4M3FN}));
}

} // namespace trisect::fuzz
