//===- Maps.cpp - map_elementwise -----------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <utility>

namespace trisect::fuzz {

namespace {
bool isBlock(const Value &value) { return !value.type.scalar() && !isFloat8(value.type.element); }
} // namespace

void Generator::map() {
  std::vector<Value> given = {any(isBlock, {anyInteger(), choices.pick(shapes)})};
  if (choices.chance(40))
    given.push_back(need(given[0].type.of(anyInteger())));
  int64_t pack = given[0].type.elements() > 1 && choices.chance(35) ? 2 : 1;
  std::string result = fresh(), operands, types, arguments;
  std::vector<Value> elements;
  for (size_t n = 0; n < given.size(); ++n) {
    operands += (n ? ", " : "") + given[n].name;
    types += (n ? ", " : "") + given[n].type.text();
    for (int64_t lane = 0; lane < pack; ++lane) {
      elements.push_back({fresh(), given[n].type.in({}), given[n].open});
      arguments +=
          (arguments.empty() ? "" : ", ") + elements.back().name + ": " + elements.back().type.text();
    }
  }
  DType element = choices.chance(60) ? given[0].type.element : anyInteger();
  size_t size = pool.size();
  std::vector<Value> outside;
  outside.swap(pool); // a region sees its elements alone
  bool wasHelper = std::exchange(helper, true), wasScalars = std::exchange(scalars, true);
  unsigned wasDepth = std::exchange(depth, 9); // without loops
  enter(result + " = \"tt.map_elementwise\"(" + operands + ") <{pack = " + std::to_string(pack) +
        " : i32}> ({");
  line("^bb0(" + arguments + "):");
  pool = elements;
  steps(3);
  std::string names, returned;
  Open open = Open::Nothing;
  for (int64_t lane = 0; lane < pack; ++lane) {
    Value value = need({element, {}});
    open = std::max(open, value.open);
    names += (lane ? ", " : "") + value.name;
    returned += (lane ? ", " : "") + value.type.text();
  }
  line("tt.map_elementwise.return " + names + " : " + returned);
  Type type = given[0].type.of(element);
  pool.swap(outside);
  leave("}) : (" + types + ") -> " + type.text(), size);
  depth = wasDepth;
  helper = wasHelper;
  scalars = wasScalars;
  // What rounds in such a region is in doubt as a whole.
  keep({result, type, isFloat(element) ? Open::Value : open});
}

} // namespace trisect::fuzz
