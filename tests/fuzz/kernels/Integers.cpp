//===- Integers.cpp - integer arithmetic, comparisons, select -------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

namespace {
bool isIntegers(const Value &value) { return isInteger(value.type.element); }
bool isNumbers(const Value &) { return true; }
} // namespace

void Generator::integerPair() {
  static const char *const ops[] = {
      "arith.addi",  "arith.subi",      "arith.muli",      "arith.addi",      "arith.muli",  "arith.andi",
      "arith.ori",   "arith.xori",      "arith.minsi",     "arith.maxsi",     "arith.minui", "arith.maxui",
      "arith.shli",  "arith.shrsi",     "arith.shrui",     "arith.divsi",     "arith.remsi", "arith.divui",
      "arith.remui", "arith.ceildivsi", "arith.ceildivui", "arith.floordivsi"};
  Value left = any(isIntegers, anyType(anyInteger()));
  const Type &type = left.type;
  bool bit = type.element == DType::I1;
  std::string op = bit ? choices.pick({"arith.xori", "arith.andi", "arith.ori"}) : choices.pick(ops);
  Value right = need(type);
  if (!bit && choices.chance(15))
    std::swap(left, right);
  std::string text = type.text();
  Open open = std::max(left.open, right.open);
  auto guard = [&](const char *with, int64_t number) {
    Value value = {constant(type.element, number), {type.element, {}}, Open::Nothing};
    if (!type.scalar())
      value = splat(value, type.shape);
    right.name = hidden(std::string(with) + " " + right.name + ", " + value.name + " : " + text);
  };
  bool isSigned =
      op.ends_with("si") && (op.find("div") != std::string::npos || op.find("rem") != std::string::npos);
  if (op.find(".sh") != std::string::npos)
    guard("arith.andi", bitWidth(type.element) - 1);
  else if (isSigned)
    guard("arith.maxsi", choices.from(1, 3)); // neither zero nor the quotient that overflows
  else if (op == "arith.divui" || op == "arith.remui" || op == "arith.ceildivui")
    guard("arith.ori", choices.pick({1, 2, 8}));
  make(type, open, op + " " + left.name + ", " + right.name + " : " + text);
}

void Generator::integerAlone() {
  Value value = any(isIntegers, anyType(anyInteger()));
  if (value.type.element == DType::I1)
    value = leaf(value.type.of(anyInteger()));
  const char *op = choices.pick({"math.absi", "math.ctpop", "math.ctlz", "math.cttz"});
  make(value.type, value.open, std::string(op) + " " + value.name + " : " + value.type.text());
}

void Generator::highProduct() {
  Type type = anyType(choices.pick({DType::I32, DType::I64}));
  Value left = need(type), right = need(type);
  make(type, std::max(left.open, right.open),
       "tt.mulhiui " + left.name + ", " + right.name + " : " + type.text());
}

void Generator::compare() {
  Value left = any(isNumbers, anyType(anyInteger()));
  if (isFloat8(left.type.element))
    left = leaf(left.type.of(anyFloat()));
  Value right = need(left.type);
  if (choices.chance(20))
    std::swap(left, right);
  Open open = std::max(left.open, right.open) == Open::Value ? Open::Value : Open::Nothing;
  bool real = isFloat(left.type.element);
  std::string predicate =
      real ? choices.pick({"olt", "ogt", "ole", "oge", "oeq", "one", "ord", "ult", "ugt", "ule", "uge", "ueq",
                           "une", "uno"})
           : choices.pick({"slt", "ult", "sle", "ule", "sgt", "ugt", "sge", "uge", "eq", "ne"});
  make(left.type.of(DType::I1), open,
       std::string(real ? "arith.cmpf " : "arith.cmpi ") + predicate + ", " + left.name + ", " + right.name +
           " : " + left.type.text());
}

void Generator::choose() {
  Value yes = any(isNumbers, anyType(anyInteger())), no = need(yes.type);
  bool block = !yes.type.scalar() && choices.chance(75);
  Value which = need(block ? yes.type.of(DType::I1) : Type{DType::I1, {}}, Open::NanBits);
  make(yes.type, std::max(yes.open, no.open),
       "arith.select " + which.name + ", " + yes.name + ", " + no.name + " : " +
           (block ? which.type.text() + ", " : "") + yes.type.text());
}

} // namespace trisect::fuzz
