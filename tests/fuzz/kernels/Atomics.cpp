//===- Atomics.cpp - updates of memory ------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

namespace {
constexpr int64_t cellExtent = 256;
}

std::string Generator::order() {
  return choices.pick({"relaxed", "acquire", "release", "acq_rel"}) + std::string(", ") +
         choices.pick({"gpu", "cta", "sys"});
}

/// Lanes and programs meet in cells; the updates of one buffer commute, and nobody looks at old values.
void Generator::atomicShared() {
  DType element = choices.pick({DType::I32, DType::I64});
  Cells &all = cells[element];
  if (all.parameter.empty()) {
    all.kind = choices.pick({"add", "max", "min", "umax", "umin", "xor", "and", "or"});
    all.parameter = parameter(Type{element, {}}.pointers(), std::string(name(element)) + "[" +
                                                                std::to_string(cellExtent) + "]:randbits(5)");
  }
  Value value = need(anyType(element), Open::Nothing);
  const Type &type = value.type;
  Places places = anyPlaces(type, cellExtent, all.parameter);
  if (places.mask.empty())
    places.mask = maybeMask(type, 40);
  bool masked = !places.mask.empty();
  line(fresh() + " = tt.atomic_rmw " + all.kind + ", " + order() + ", " + places.pointers + ", " +
       value.name + (masked ? ", " + places.mask : "") + " : (" + type.pointers() + ", " + type.text() +
       (masked ? ", " + type.of(DType::I1).text() : "") + ") -> " + type.text());
}

/// Old values of lanes that are on.
void Generator::showOld(const Type &type, const std::string &old, const std::string &mask, Open open) {
  if (mask.empty()) {
    keep({old, type, open});
    return;
  }
  Value other = need(type, Open::NanBits);
  make(type, open,
       "arith.select " + mask + ", " + old + ", " + other.name + " : " +
           (type.scalar() ? "" : type.of(DType::I1).text() + ", ") + type.text());
}

void Generator::atomicOwn() {
  DType element = choices.pick({DType::I32, DType::I64, DType::F32, DType::F64, DType::F16, DType::BF16});
  Value value = need(anyType(element), Open::NanBits);
  const Type &type = value.type;
  std::string kind = isFloat(element)
                         ? choices.pick({"fadd", "fadd", "exch"})
                         : choices.pick({"add", "max", "min", "umax", "umin", "xor", "and", "or", "exch"});
  Places places = ownPlaces(type);
  std::string mask = maybeMask(type, 40);
  std::string old =
      hidden("tt.atomic_rmw " + kind + ", " + order() + ", " + places.pointers + ", " + value.name +
             (mask.empty() ? "" : ", " + mask) + " : (" + type.pointers() + ", " + type.text() +
             (mask.empty() ? "" : ", " + type.of(DType::I1).text()) + ") -> " + type.text());
  showOld(type, old, mask, isFloat(element) ? Open::Value : Open::Nothing);
}

void Generator::atomicSwap() {
  Type type = anyType(choices.pick({DType::I32, DType::I64}));
  Value value = need(type, Open::Nothing);
  Places places = ownPlaces(type);
  std::string pointers = type.pointers(), scope = choices.pick({"gpu", "cta", "sys"});
  switch (choices.below(3)) {
  case 0: {
    Value expected = choices.chance(60) ? loaded(places) : need(type, Open::Nothing);
    std::string old = hidden("tt.atomic_cas " + order() + ", " + places.pointers + ", " + expected.name +
                             ", " + value.name + " : (" + pointers + ", " + type.text() + ", " + type.text() +
                             ") -> " + type.text());
    return showOld(type, old, "", Open::Nothing);
  }
  case 1: {
    std::string mask = maybeMask(type, 40);
    line("tt.atomic_store release, " + scope + ", " + places.pointers + ", " + value.name +
         (mask.empty() ? "" : ", " + mask) + " : " + pointers);
    return;
  }
  default: {
    std::string mask = maybeMask(type, 40);
    std::string old = hidden("tt.atomic_load acquire, " + scope + ", " + places.pointers +
                             (mask.empty() ? "" : ", " + mask) + " : (" + pointers +
                             (mask.empty() ? "" : ", " + type.of(DType::I1).text()) + ") -> " + type.text());
    showOld(type, old, mask, Open::Value);
  }
  }
}

} // namespace trisect::fuzz
