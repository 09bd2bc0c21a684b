//===- Locations.cpp - from MLIR locations to positions in source ---------------------------------------===//
#include "core/ir/Locations.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace trisect::tt {

SourcePosition positionOf(Location location) {
  return llvm::TypeSwitch<Location, SourcePosition>(location)
      .Case([](FileLineColLoc at) {
        return SourcePosition{at.getFilename().str(), int(at.getLine()), int(at.getColumn())};
      })
      .Case([](NameLoc named) { return positionOf(named.getChildLoc()); })
      .Case([](CallSiteLoc call) {
        SourcePosition callee = positionOf(call.getCallee());
        return callee.known() ? callee : positionOf(call.getCaller());
      })
      .Case([](FusedLoc fused) {
        for (Location part : fused.getLocations())
          if (SourcePosition position = positionOf(part); position.known())
            return position;
        return SourcePosition();
      })
      .Case([](OpaqueLoc opaque) { return positionOf(opaque.getFallbackLocation()); })
      .Default(SourcePosition());
}

/// `tt.load in @kernel`.
static std::string describe(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  if (auto function = op->getParentOfType<SymbolOpInterface>())
    text += " in @" + function.getName().str();
  return text;
}

void requireLocations(ModuleOp module) {
  std::string missing;
  module.walk([&](Operation *op) {
    if (op != module && !positionOf(op->getLoc()).known())
      missing = describe(op);
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (missing.empty() && !positionOf(argument.getLoc()).known())
          missing = "argument #" + std::to_string(argument.getArgNumber()) + " of " + describe(op);
    return missing.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!missing.empty())
    throw InvalidInput("expected a source position on every operation, but " + missing + " has none");
}

} // namespace trisect::tt
