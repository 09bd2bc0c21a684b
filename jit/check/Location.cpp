//===- Location.cpp - locations as text -----------------------------------------------------------------===//
#include "jit/check/Location.h"

namespace trisect::jit {

std::string_view locationKindName(Location::Kind kind) {
  constexpr std::string_view names[] = {"unknown", "value", "control", "memory", "fault", "region"};
  return names[static_cast<size_t>(kind)];
}

static std::string placeOf(const LocatedOp &op) {
  return op.name + (op.position.known() ? " at " + op.position.str() : "");
}

std::string Location::describe(const std::string &tier) const {
  switch (kind) {
  case Kind::Unknown:
    return "its origin was not found: " + note;
  case Kind::Control:
    return "it comes from " + placeOf(op) + ", which " + tier + " leaves another way";
  case Kind::Memory:
    return "it comes from " + placeOf(op) + ", whose operands are the same";
  case Kind::Fault:
    return "the fault comes from " + placeOf(op) + ", or what follows it";
  case Kind::Region:
    return "it comes from between " + (after ? placeOf(*after) : "the start of the kernel") + " and " +
           placeOf(op) + "; it vanishes if the values there are watched";
  case Kind::Value:
    break;
  }
  std::string text = "it comes from " + placeOf(op);
  if (!index.empty()) {
    text += ", element (";
    for (size_t d = 0; d < index.size(); ++d)
      text += (d ? ", " : "") + std::to_string(index[d]);
    text += ")";
  }
  if (execution)
    text += ", time " + std::to_string(execution + 1);
  text += ": tier 0 gets " + expected + ", " + tier + " gets " + found;
  return text + (ulp ? " (" + std::to_string(*ulp) + " ULP)" : "");
}

} // namespace trisect::jit
