//===- Floats.cpp - float arithmetic and functions ------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <algorithm>

namespace trisect::fuzz {

namespace {
bool isReal(const Value &value) { return isFloat(value.type.element) && !isFloat8(value.type.element); }
} // namespace

void Generator::floatPair() {
  static const char *const ops[] = {"arith.addf",     "arith.subf",    "arith.mulf",    "arith.divf",
                                    "arith.addf",     "arith.mulf",    "arith.remf",    "arith.minimumf",
                                    "arith.maximumf", "arith.minnumf", "arith.maxnumf", "math.copysign",
                                    "tt.precise_divf"};
  Value left = any(isReal, anyType(anyFloat())), right = need(left.type);
  std::string op = choices.pick(ops);
  if (op == "tt.precise_divf" && left.type.element != DType::F32)
    op = "arith.divf";
  if (left.type.element == DType::F32 && choices.chance(3))
    op = "tt.approx_divf";
  Open open = std::max({left.open, right.open, op == "tt.approx_divf" ? Open::Value : Open::NanBits});
  make(left.type, open, op + " " + left.name + ", " + right.name + " : " + left.type.text());
}

void Generator::floatAlone() {
  Value value = any(isReal, anyType(anyFloat()));
  std::string op = choices.pick({"arith.negf", "math.absf", "math.floor", "math.ceil", "math.trunc",
                                 "math.round", "math.roundeven", "math.sqrt", "tt.precise_sqrt"});
  if (op == "tt.precise_sqrt" && value.type.element != DType::F32)
    op = "math.sqrt";
  make(value.type, std::max(value.open, Open::NanBits), op + " " + value.name + " : " + value.type.text());
}

void Generator::floatTriple() {
  Value a = any(isReal, anyType(anyFloat()));
  std::string text = a.type.text();
  if (choices.chance(50)) { // bounds that are NaN, or in the wrong order, mean nothing
    const char *low = choices.pick({"-1.0", "0.0", "-48.0"}), *high = choices.pick({"1.0", "0.5", "48.0"});
    auto bound = [&](const char *number) {
      Value scalar{
          hidden("arith.constant " + std::string(number) + " : " + std::string(name(a.type.element))),
          {a.type.element, {}},
          Open::Nothing};
      return a.type.scalar() ? scalar : splat(scalar, a.type.shape);
    };
    Value least = bound(low), most = bound(high);
    make(a.type, std::max(a.open, Open::NanBits),
         "tt.clampf " + a.name + ", " + least.name + ", " + most.name +
             ", propagateNan = " + choices.pick({"none", "all"}) + " : " + text);
    return;
  }
  Value b = need(a.type), c = need(a.type);
  make(a.type, std::max({a.open, b.open, c.open, Open::NanBits}),
       "math.fma " + a.name + ", " + b.name + ", " + c.name + " : " + text);
}

/// A function of stated error: what follows from it is open.
void Generator::function() {
  static const char *const ops[] = {"exp",   "exp2",  "expm1", "log",  "log2", "log10", "log1p", "sin",
                                    "cos",   "tan",   "asin",  "acos", "atan", "sinh",  "cosh",  "tanh",
                                    "asinh", "acosh", "atanh", "erf",  "cbrt", "rsqrt"};
  Value value = any(isReal, anyType(anyFloat()));
  std::string text = value.type.text();
  if (choices.chance(10)) {
    Value other = need(value.type);
    make(value.type, Open::Value,
         std::string(choices.pick({"math.powf", "math.atan2"})) + " " + value.name + ", " + other.name +
             " : " + text);
    return;
  }
  make(value.type, Open::Value, "math." + std::string(choices.pick(ops)) + " " + value.name + " : " + text);
}

} // namespace trisect::fuzz
