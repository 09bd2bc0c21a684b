//===- Refusals.cpp - what no tier runs, by the op table ------------------------------------------------===//
#include "core/ir/Refusals.h"
#include "core/ir/Ops.h"

using namespace mlir;

namespace trisect::tt {

Operation *firstOf(Operation *root, Tiers tiers) {
  Operation *found = nullptr;
  root->walk([&](Operation *op) {
    std::optional<OpId> id = opFromMnemonic(std::string_view(op->getName().getStringRef()));
    if (!id || factsOf(*id).tiers != tiers)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

std::string refusalOf(Operation *op) {
  std::optional<OpId> id = opFromMnemonic(std::string_view(op->getName().getStringRef()));
  std::string why(id ? trisect::refusalOf(*id) : std::string_view());
  if (auto call = dyn_cast<CallOp>(op))
    return "of '" + call.getCallee().str() + "': " + why;
  return why;
}

} // namespace trisect::tt
