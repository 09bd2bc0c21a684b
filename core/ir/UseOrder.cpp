//===- UseOrder.cpp - no value before its definition ----------------------------------------------------===//
#include "core/ir/UseOrder.h"
#include "mlir/IR/RegionGraphTraits.h"
#include "mlir/IR/RegionKindInterface.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace trisect::tt {

namespace {
/// The blocks in which MLIR lets a value be used anywhere.
SmallVector<Block *> uncheckedBlocks(Region &region) {
  SmallVector<Block *> found;
  bool isGraph = mayBeGraphRegion(region);
  if (region.empty() || (!isGraph && region.hasOneBlock()))
    return found;
  llvm::SmallPtrSet<Block *, 8> reached;
  if (!isGraph)
    for (Block *block : llvm::depth_first(&region.front()))
      reached.insert(block);
  for (Block &block : region)
    if (!reached.contains(&block))
      found.push_back(&block);
  return found;
}

bool comesFirst(Block *block, Block *other) {
  for (Block &each : *block->getParent())
    if (&each == block || &each == other)
      return &each == block;
  return false;
}

/// `definition` before `user`, or before what of its region holds `user`.
bool isBefore(Operation *definition, Operation *user) {
  Region *home = definition->getParentRegion();
  while (user && user->getParentRegion() != home)
    user = user->getParentOp();
  if (!user || user == definition)
    return false;
  return definition->getBlock() == user->getBlock() ? definition->isBeforeInBlock(user)
                                                    : comesFirst(definition->getBlock(), user->getBlock());
}
} // namespace

LogicalResult verifyUseOrder(ModuleOp module) {
  auto verifyOperands = [](Operation *user) {
    for (auto [number, operand] : llvm::enumerate(user->getOperands()))
      if (Operation *definition = operand.getDefiningOp(); definition && !isBefore(definition, user)) {
        InFlightDiagnostic error = user->emitOpError()
                                   << "expected operand #" << number
                                   << " to be defined before, but found a value that is defined "
                                   << (definition == user ? "here" : "after");
        error.attachNote(definition->getLoc()) << "defined here";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  };
  WalkResult result = module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (Block *block : uncheckedBlocks(region))
        // The regions of functions are looked at by themselves.
        if (block
                ->walk<WalkOrder::PreOrder>([&](Operation *user) {
                  if (verifyOperands(user).wasInterrupted())
                    return WalkResult::interrupt();
                  return user->hasTrait<OpTrait::IsIsolatedFromAbove>() ? WalkResult::skip()
                                                                        : WalkResult::advance();
                })
                .wasInterrupted())
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace trisect::tt
