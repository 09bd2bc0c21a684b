//===- Memory.cpp - loads and stores --------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

namespace {
constexpr int64_t inputExtent = 4096; ///< programs times the largest block fit in
bool isAnything(const Value &) { return true; }
} // namespace

/// Memory that is only read.
std::string Generator::input(DType element) {
  std::string &made = inputs[element];
  if (!made.empty() && choices.chance(85))
    return made;
  std::string content = choices.pick({"randint(", "randbits(", "randn("});
  if (content == "randn(" && isInteger(element))
    content = "randbits(";
  content += std::to_string(choices.below(1000)) + (content == "randint(" ? ", -9, 9)" : ")");
  std::string hint = choices.chance(25) ? " {tt.divisibility = 16 : i32}" : "";
  made = parameter(Type{element, {}}.pointers() + hint,
                   std::string(name(element)) + "[" + std::to_string(inputExtent) + "]:" + content);
  return made;
}

std::string Generator::maybeMask(const Type &type, uint32_t percent) {
  return choices.chance(percent) ? need(type.of(DType::I1), Open::Nothing).name : "";
}

Value Generator::loaded(const Places &places) {
  std::string other;
  if (!places.mask.empty())
    other = ", " + places.mask + ", " + need(places.type, Open::NanBits).name;
  std::string cache =
      choices.chance(10) ? std::string(" cacheModifier = ") + choices.pick({"ca", "cg", "cv"}) : "";
  return make(places.type, Open::Nothing,
              "tt.load " + places.pointers + other + cache + " : " + places.type.pointers());
}

/// Neighbours, as most kernels read.
Value Generator::loadInput(const Type &type) {
  std::string base = input(type.element);
  if (type.elements() <= 512 && choices.chance(50)) {
    std::string start = hidden("arith.muli %pid, " + constant(DType::I32, type.elements()) + " : i32");
    base = shifted(base, type.element, start, "i32");
  } else if (type.elements() <= 2048) {
    base = shifted(base, type.element, constant(DType::I32, choices.from(0, 512)), "i32");
  }
  Value at =
      type.scalar() ? Value{constant(DType::I32, 0), {DType::I32, {}}, Open::Nothing} : linear(type.shape);
  return loaded({address(base, type, at), choices.chance(12) ? maybeMask(type, 100) : "", type});
}

/// By addresses that were computed.
void Generator::load() {
  Type type = anyType(choices.chance(60) ? anyInteger() : choices.chance(15) ? DType::F8E5M2 : anyFloat());
  if (choices.chance(30)) {
    loadInput(type);
    return;
  }
  loaded(anyPlaces(type, inputExtent, input(type.element)));
}

void Generator::store() { storeValue(any(isAnything, anyType(anyInteger()))); }

void Generator::storeValue(Value value) {
  if (value.type.element == DType::I1)
    value = converted(value, DType::I8);
  Places places = ownPlaces(value.type);
  std::string mask = maybeMask(value.type, 35);
  line("tt.store " + places.pointers + ", " + value.name + (mask.empty() ? "" : ", " + mask) + " : " +
       value.type.pointers());
}

/// What this program may have written.
void Generator::loadBack() {
  if (outputs.empty())
    return store();
  Output out = choices.pick(outputs);
  loaded(anyPlaces(anyType(out.element), out.extent, regionOf(out, 0)));
  pool.back().open = Open::Value; // whatever was stored there
}

} // namespace trisect::fuzz
