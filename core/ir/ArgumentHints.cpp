//===- ArgumentHints.cpp - what the source promises of block arguments ----------------------------------===//
#include "core/ir/ArgumentHints.h"
#include "core/ir/Dialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace trisect::tt {

static std::string nameInLoop(StringRef name, BlockArgument argument) {
  return (name + "_arg" + Twine(argument.getArgNumber())).str();
}

bool setArgumentHint(BlockArgument argument, StringRef name, Attribute hint) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!parent || !argument.getOwner()->isEntryBlock())
    return false;
  if (auto function = dyn_cast<FunctionOpInterface>(parent)) {
    function.setArgAttr(argument.getArgNumber(), name, hint);
    return true;
  }
  if (!isa<scf::ForOp, scf::WhileOp>(parent))
    return false;
  parent->setAttr(nameInLoop(name, argument), hint);
  return true;
}

DictionaryAttr argumentHints(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (!parent || !argument.getOwner()->isEntryBlock())
    return nullptr;
  if (auto function = dyn_cast<FunctionOpInterface>(parent))
    return function.getArgAttrDict(argument.getArgNumber());
  auto repeated = dyn_cast<scf::WhileOp>(parent);
  if (!isa<scf::ForOp>(parent) && !(repeated && argument.getOwner() == repeated.getAfterBody()))
    return nullptr;
  NamedAttrList found;
  for (StringRef name : {StringRef(kDivisibilityAttr), StringRef(kContiguityAttr), StringRef(kConstancyAttr)})
    if (Attribute hint = parent->getAttr(nameInLoop(name, argument)))
      found.append(name, hint);
  return found.getDictionary(parent->getContext());
}

} // namespace trisect::tt
