//===- Locations.cpp - from MLIR locations to positions in source ---------------------------------------===//
#include "core/ir/Locations.h"
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

} // namespace trisect::tt
