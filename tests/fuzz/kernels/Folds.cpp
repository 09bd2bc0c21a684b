//===- Folds.cpp - reductions and scans -----------------------------------------------------------------===//
//
// Regions of reductions are associative and commutative, those of scans associative: any way to fold gives
// the same.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

namespace {
bool isBlock(const Value &value) { return !value.type.scalar() && !isFloat8(value.type.element); }
} // namespace

/// One line or a few that combine two elements; gives the result's name.
std::string Generator::combine(DType type, const std::string &a, const std::string &b, Open &open) {
  std::string suffix = " : " + std::string(name(type));
  if (type == DType::I1)
    return hidden(std::string(choices.pick({"arith.xori ", "arith.andi ", "arith.ori "})) + a + ", " + b +
                  suffix);
  if (isFloat(type)) {
    std::string op = choices.pick(
        {"arith.addf", "arith.maxnumf", "arith.minnumf", "arith.maximumf", "arith.minimumf", "arith.mulf"});
    open = std::max(open, Open::NanBits);
    return hidden(op + " " + a + ", " + b + suffix);
  }
  if (choices.chance(10)) { // (1 + a)(1 + b) - 1
    std::string product = hidden("arith.muli " + a + ", " + b + suffix);
    std::string sum = hidden("arith.addi " + a + ", " + b + suffix);
    return hidden("arith.addi " + sum + ", " + product + suffix);
  }
  if (choices.chance(10)) { // the larger one, by comparison
    std::string greater = hidden("arith.cmpi " + std::string(choices.pick({"sgt", "ugt", "slt"})) + ", " + a +
                                 ", " + b + suffix);
    return hidden("arith.select " + greater + ", " + a + ", " + b + suffix);
  }
  const char *op = choices.pick({"arith.addi", "arith.addi", "arith.muli", "arith.maxsi", "arith.minsi",
                                 "arith.maxui", "arith.minui", "arith.xori", "arith.andi", "arith.ori"});
  return hidden(std::string(op) + " " + a + ", " + b + suffix);
}

void Generator::fold(bool scans) {
  std::vector<Value> given = {any(isBlock, {anyInteger(), choices.pick(shapes)})};
  const Shape shape = given[0].type.shape;
  if (choices.chance(25))
    given.push_back(need({choices.chance(50) ? anyInteger() : anyFloat(), shape}));
  auto axis = choices.below(static_cast<uint32_t>(shape.size()));
  Shape left = shape;
  if (!scans)
    left.erase(left.begin() + axis);
  std::string result = fresh(), operands, types, made, elements, names, arguments, second;
  for (size_t n = 0; n < given.size(); ++n) {
    std::string comma = n ? ", " : "", element(name(given[n].type.element));
    operands += comma + given[n].name;
    types += comma + given[n].type.text();
    made += comma + given[n].type.in(left).text();
    elements += comma + element;
    arguments += comma + "%l" + result.substr(2) + "_" + std::to_string(n) + ": " + element;
    second += ", %r" + result.substr(2) + "_" + std::to_string(n) + ": " + element;
  }
  std::string op = scans ? "tt.scan" : "tt.reduce";
  std::string head = result + (given.size() > 1 ? ":2" : "") + " = \"" + op + "\"(" + operands +
                     ") <{axis = " + std::to_string(axis) + " : i32" +
                     (scans ? std::string(", reverse = ") + choices.pick({"false", "true"}) : "") + "}> ({";
  size_t size = pool.size();
  enter(head);
  line("^bb0(" + arguments + second + "):");
  for (size_t n = 0; n < given.size(); ++n) {
    std::string place = result.substr(2) + "_" + std::to_string(n);
    bool real = isFloat(given[n].type.element);
    names += (n ? ", " : "") + combine(given[n].type.element, "%l" + place, "%r" + place, given[n].open);
    if (real && scans) // free to associate
      given[n].open = Open::Value;
  }
  line(op + ".return " + names + " : " + elements);
  leave("}) : (" + types + ") -> " + (given.size() > 1 ? "(" + made + ")" : made), size);
  for (size_t n = 0; n < given.size(); ++n)
    keep({given.size() > 1 ? result + "#" + std::to_string(n) : result, given[n].type.in(left),
          given[n].open});
}

void Generator::reduce() { fold(false); }
void Generator::scan() { fold(true); }

/// The greatest or least element and its index; of equals the least index.
void Generator::argExtremum() {
  Value value = any(isBlock, {anyInteger(), choices.pick(shapes)});
  if (!isInteger(value.type.element) || value.type.element == DType::I1)
    value = leaf(value.type.of(anyInteger()));
  Value index = need(value.type.of(choices.pick({DType::I32, DType::I64})));
  auto axis = choices.below(static_cast<uint32_t>(value.type.shape.size()));
  Shape left = value.type.shape;
  left.erase(left.begin() + axis);
  std::string result = fresh(), at = result.substr(2), v(name(value.type.element)),
              i(name(index.type.element));
  std::string better = choices.pick({"sgt", "slt", "ugt", "ult"});
  size_t size = pool.size();
  enter(result + ":2 = \"tt.reduce\"(" + value.name + ", " + index.name +
        ") <{axis = " + std::to_string(axis) + " : i32}> ({");
  line("^bb0(%a" + at + "v: " + v + ", %a" + at + "i: " + i + ", %b" + at + "v: " + v + ", %b" + at +
       "i: " + i + "):");
  std::string a = "%a" + at, b = "%b" + at;
  std::string wins = hidden("arith.cmpi " + better + ", " + a + "v, " + b + "v : " + v);
  std::string equal = hidden("arith.cmpi eq, " + a + "v, " + b + "v : " + v);
  std::string before = hidden("arith.cmpi slt, " + a + "i, " + b + "i : " + i);
  std::string tie = hidden("arith.andi " + equal + ", " + before + " : i1");
  std::string take = hidden("arith.ori " + wins + ", " + tie + " : i1");
  std::string most = hidden("arith.select " + take + ", " + a + "v, " + b + "v : " + v);
  std::string where = hidden("arith.select " + take + ", " + a + "i, " + b + "i : " + i);
  line("tt.reduce.return " + most + ", " + where + " : " + v + ", " + i);
  leave("}) : (" + value.type.text() + ", " + index.type.text() + ") -> (" + value.type.in(left).text() +
            ", " + index.type.in(left).text() + ")",
        size);
  Open open = std::max(value.open, index.open);
  keep({result + "#0", value.type.in(left), open});
  keep({result + "#1", index.type.in(left), open});
}

/// x <- a·x + b, as a scan of the pairs (a, b): associative, not commutative.
void Generator::recurrence() {
  Value a = any(isBlock, {anyInteger(), choices.pick(shapes)});
  if (!isInteger(a.type.element) || a.type.element == DType::I1)
    a = leaf(a.type.of(anyInteger()));
  Value b = need(a.type);
  auto axis = choices.below(static_cast<uint32_t>(a.type.shape.size()));
  std::string result = fresh(), at = result.substr(2), e(name(a.type.element)),
              both = a.type.text() + ", " + a.type.text();
  size_t size = pool.size();
  enter(result + ":2 = \"tt.scan\"(" + a.name + ", " + b.name + ") <{axis = " + std::to_string(axis) +
        " : i32, reverse = " + choices.pick({"false", "true"}) + "}> ({");
  line("^bb0(%a" + at + ": " + e + ", %b" + at + ": " + e + ", %c" + at + ": " + e + ", %d" + at + ": " + e +
       "):");
  std::string factor = hidden("arith.muli %a" + at + ", %c" + at + " : " + e);
  std::string moved = hidden("arith.muli %b" + at + ", %c" + at + " : " + e);
  std::string term = hidden("arith.addi " + moved + ", %d" + at + " : " + e);
  line("tt.scan.return " + factor + ", " + term + " : " + e + ", " + e);
  leave("}) : (" + both + ") -> (" + both + ")", size);
  Open open = std::max(a.open, b.open);
  keep({result + "#0", a.type, open});
  keep({result + "#1", a.type, open});
}

} // namespace trisect::fuzz
