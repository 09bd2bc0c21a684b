//===- Control.cpp - loops, branches and helpers --------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <utility>

namespace trisect::fuzz {

namespace {
std::string list(const std::vector<Value> &values, bool types) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + (types ? value.type.text() : value.name);
  return text;
}
} // namespace

/// Some values of the pool, at least one.
std::vector<Value> Generator::someOf(uint32_t most) {
  std::vector<Value> some;
  for (uint32_t n = 1 + choices.below(most); n-- > 0;)
    some.push_back(need(anyType(choices.chance(65) ? anyInteger() : anyFloat())));
  return some;
}

/// The results of an op that gives values like those.
void Generator::results(const std::string &name, const std::vector<Value> &like) {
  for (size_t n = 0; n < like.size(); ++n)
    keep({like.size() > 1 ? name + "#" + std::to_string(n) : name, like[n].type, like[n].open});
}

/// An integer value together with some that nobody has used: what a region computes shall show.
Value Generator::mixed(Value value, Open most) {
  if (!isInteger(value.type.element))
    return value;
  for (int64_t n = choices.from(0, 2); n > 0; --n) {
    auto other = take(100, [&](const Value &each) {
      return !each.used && each.open <= most && each.type.shape == value.type.shape &&
             isInteger(each.type.element);
    });
    if (!other)
      break;
    Value same = converted(*other, value.type.element);
    pool.back().used = true;
    value.name = hidden("arith.xori " + value.name + ", " + same.name + " : " + value.type.text());
  }
  return value;
}

/// The end of a region that gives such values; what it gives is at least as open as they were.
std::string Generator::yields(const std::vector<Value> &like, const char *op) {
  std::vector<Value> given;
  for (const Value &each : like)
    given.push_back(mixed(need(each.type, each.open), each.open));
  return std::string(op) + " " + list(given, false) + " : " + list(given, true);
}

void Generator::loop() {
  if (depth > 1)
    return integerPair();
  std::vector<Value> first = someOf(3);
  DType kind = choices.pick({DType::I32, DType::I32, DType::I64, DType::I16, DType::I8});
  std::string element(name(kind));
  int64_t step = choices.pick({1, 1, 2, 3, 7}), rounds = choices.from(0, 4),
          limit = INT64_MAX >> (64 - bitWidth(kind));
  int64_t last = choices.pick({rounds * step, int64_t(100), limit}), begin = last - rounds * step;
  if (rounds > 1 && choices.chance(30))
    begin += 1; // the last step is cut short
  auto bound = [&](int64_t value) {
    if (helper || choices.chance(50))
      return constant(kind, value);
    return parameter(element, std::to_string(value));
  };
  std::string low = bound(begin), high = bound(last), by = bound(step);
  if (choices.chance(20)) { // as many rounds as the data say
    std::string some = need({kind, {}}, Open::Nothing).name, three = constant(kind, 3);
    low = constant(kind, 0);
    high = hidden("arith.andi " + some + ", " + three + " : " + element);
    by = constant(kind, 1);
  }
  std::string result = fresh(), index = fresh(), carried;
  std::vector<Value> own;
  for (const Value &value : first) {
    own.push_back({fresh(), value.type, value.open});
    carried += (carried.empty() ? "" : ", ") + own.back().name + " = " + value.name;
  }
  size_t size = pool.size();
  enter(result + (first.size() > 1 ? ":" + std::to_string(first.size()) : "") + " = scf.for " + index +
        " = " + low + " to " + high + " step " + by + " iter_args(" + carried + ") -> (" + list(first, true) +
        ") : " + element + " {");
  keep({index, {kind, {}}, Open::Nothing});
  for (const Value &value : own)
    keep(value);
  steps(4);
  line(yields(own, "scf.yield"));
  leave("}", size);
  results(result, first);
}

void Generator::branch() {
  if (depth > 1)
    return choose();
  Value which = need({DType::I1, {}}, Open::Nothing);
  std::vector<Value> like = someOf(2);
  std::string result = fresh();
  size_t size = pool.size();
  enter(result + (like.size() > 1 ? ":" + std::to_string(like.size()) : "") + " = scf.if " + which.name +
        " -> (" + list(like, true) + ") {");
  steps(3);
  line(yields(like, "scf.yield"));
  leave("} else {", size);
  indent += 2;
  ++depth;
  steps(2);
  line(yields(like, "scf.yield"));
  leave("}", size);
  results(result, like);
}

/// Goes on while a counter and a condition on what it carries hold.
void Generator::whileLoop() {
  if (depth > 1)
    return integerAlone();
  std::vector<Value> first = someOf(2);
  first.insert(first.begin(), {constant(DType::I32, 0), {DType::I32, {}}, Open::Nothing});
  std::string result = fresh(), carried, block;
  std::vector<Value> before, after;
  for (const Value &value : first) {
    before.push_back({fresh(), value.type, value.open});
    after.push_back({fresh(), value.type, value.open});
    carried += (carried.empty() ? "" : ", ") + before.back().name + " = " + value.name;
    block += (block.empty() ? "" : ", ") + after.back().name + ": " + value.type.text();
  }
  std::string types = list(first, true);
  size_t size = pool.size();
  enter(result + ":" + std::to_string(first.size()) + " = scf.while (" + carried + ") : (" + types +
        ") -> (" + types + ") {");
  for (const Value &value : before)
    keep(value);
  std::string limit = constant(DType::I32, choices.from(0, 4));
  std::string goes = hidden("arith.cmpi slt, " + before[0].name + ", " + limit + " : i32");
  if (choices.chance(50))
    goes = hidden("arith.andi " + goes + ", " + need({DType::I1, {}}, Open::Nothing).name + " : i1");
  line("scf.condition(" + goes + ") " + list(before, false) + " : " + types);
  leave("} do {", size);
  enter("^bb0(" + block + "):");
  for (const Value &value : after)
    keep(value);
  std::string one = constant(DType::I32, 1),
              next = hidden("arith.addi " + after[0].name + ", " + one + " : i32");
  steps(3);
  std::vector<Value> rest(after.begin() + 1, after.end());
  std::string end = yields(rest, "");
  size_t colon = end.find(" : ");
  line("scf.yield " + next + "," + end.substr(0, colon) + " : i32, " + end.substr(colon + 3));
  leave("}", size);
  results(result, first);
}

/// A function of values, called once or twice, which may return early.
void Generator::call() {
  if (depth > 1)
    return compare();
  std::vector<Value> arguments = someOf(3), inside;
  std::string name = "@f" + std::to_string(functions.size()), head;
  for (const Value &value : arguments) {
    inside.push_back({fresh(), value.type, value.open});
    head += (head.empty() ? "" : ", ") + inside.back().name + ": " + value.type.text();
  }
  std::vector<std::string> outsideLines;
  std::vector<Value> outside;
  outsideLines.swap(lines);
  outside.swap(pool);
  unsigned wasIndent = std::exchange(indent, 2);
  bool wasHelper = std::exchange(helper, true);
  pool = inside;
  steps(4);
  std::vector<Value> like = {need(anyType(anyInteger()))};
  if (choices.chance(40))
    like.push_back(need(arguments[0].type));
  std::string types = list(like, true);
  if (choices.chance(40)) {
    line("cf.cond_br " + need({DType::I1, {}}, Open::Nothing).name + ", ^early, ^late");
    size_t size = pool.size();
    line("^early:");
    line(yields(like, "tt.return"));
    pool.resize(size);
    line("^late:");
    steps(2);
  }
  if (choices.chance(30)) {
    line("cf.br ^end");
    line("^end:");
  }
  line(yields(like, "tt.return"));
  std::string body;
  for (const std::string &each : lines)
    body += each + "\n";
  functions.push_back("tt.func private " + name + "(" + head + ") -> (" + types + ")" +
                      (choices.chance(50) ? " attributes {noinline = true}" : "") + " {\n" + body + "}\n");
  lines.swap(outsideLines);
  pool.swap(outside);
  indent = wasIndent;
  helper = wasHelper;
  for (int64_t times = choices.from(1, 2); times-- > 0;) {
    std::string result = fresh();
    line(result + (like.size() > 1 ? ":2" : "") + " = tt.call " + name + "(" + list(arguments, false) +
         ") : (" + list(arguments, true) + ") -> (" + types + ")");
    results(result, like);
    for (Value &each : arguments)
      each = need(each.type, each.open);
  }
}

} // namespace trisect::fuzz
