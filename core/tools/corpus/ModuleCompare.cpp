//===- ModuleCompare.cpp - do two modules say the same? -------------------------------------------------===//
//
// Structure comes first: one walk over both pairs every value and block; a second walk checks what operations
// use.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/tools/corpus/ModuleCompare.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace trisect::corpus {

namespace {
class Comparison {
public:
  explicit Comparison(Locations locations) : locations(locations) {}

  std::optional<std::string> run(Operation *before, Operation *after) {
    if (pairOps(before, after))
      for (auto [was, is] : ops)
        if (!sameUses(was, is))
          break;
    return difference;
  }

private:
  bool differ(Operation *was, Operation *is, const char *what) {
    std::string text;
    llvm::raw_string_ostream out(text);
    OpPrintingFlags flags = OpPrintingFlags().skipRegions().enableDebugInfo();
    out << what << " differ\n  before: ";
    was->print(out, flags);
    out << "\n  after:  ";
    is->print(out, flags);
    difference = text;
    return false;
  }

  bool lossy() const { return locations == Locations::InCustomForm; }

  bool pairOps(Operation *was, Operation *is) {
    if (was->getName() != is->getName())
      return differ(was, is, "names");
    if (was->getAttrDictionary() != is->getAttrDictionary())
      return differ(was, is, "attributes");
    if (was->getLoc() != is->getLoc() && !(isa<scf::YieldOp>(was) && was->getNumOperands() == 0 && lossy()))
      return differ(was, is, "locations");
    if (was->getResultTypes() != is->getResultTypes())
      return differ(was, is, "result types");
    if (was->getNumRegions() != is->getNumRegions())
      return differ(was, is, "numbers of regions");
    ops.emplace_back(was, is);
    for (auto [wasResult, isResult] : llvm::zip_equal(was->getResults(), is->getResults()))
      values[wasResult] = isResult;
    for (auto [wasRegion, isRegion] : llvm::zip_equal(was->getRegions(), is->getRegions()))
      if (!pairRegions(was, is, wasRegion, isRegion))
        return false;
    return true;
  }

  bool pairRegions(Operation *was, Operation *is, Region &wasRegion, Region &isRegion) {
    if (wasRegion.getBlocks().size() != isRegion.getBlocks().size())
      return differ(was, is, "numbers of blocks");
    for (auto [wasBlock, isBlock] : llvm::zip_equal(wasRegion, isRegion)) {
      blocks[&wasBlock] = &isBlock;
      if (wasBlock.getArgumentTypes() != isBlock.getArgumentTypes())
        return differ(was, is, "block arguments");
      for (auto [wasArg, isArg] : llvm::zip_equal(wasBlock.getArguments(), isBlock.getArguments())) {
        values[wasArg] = isArg;
        if (wasArg.getLoc() != isArg.getLoc() && !(isa<scf::ForOp, scf::WhileOp>(was) && lossy()))
          return differ(was, is, "locations of block arguments");
      }
      if (wasBlock.getOperations().size() != isBlock.getOperations().size())
        return differ(was, is, "numbers of operations inside");
      for (auto [wasOp, isOp] : llvm::zip_equal(wasBlock, isBlock))
        if (!pairOps(&wasOp, &isOp))
          return false;
    }
    return true;
  }

  bool sameUses(Operation *was, Operation *is) {
    if (!llvm::equal(was->getOperands(), is->getOperands(),
                     [&](Value wasValue, Value isValue) { return values.lookup(wasValue) == isValue; }))
      return differ(was, is, "operands");
    if (!llvm::equal(was->getSuccessors(), is->getSuccessors(),
                     [&](Block *wasBlock, Block *isBlock) { return blocks.lookup(wasBlock) == isBlock; }))
      return differ(was, is, "successors");
    return true;
  }

  Locations locations;
  llvm::SmallVector<std::pair<Operation *, Operation *>> ops;
  llvm::DenseMap<Value, Value> values;
  llvm::DenseMap<Block *, Block *> blocks;
  std::optional<std::string> difference;
};
} // namespace

std::optional<std::string> firstDifference(Operation *before, Operation *after, Locations locations) {
  return Comparison(locations).run(before, after);
}

} // namespace trisect::corpus
