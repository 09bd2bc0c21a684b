//===- FuncOps.cpp - functions, calls and program identity ----------------------------------------------===//
#include "core/ir/FuncOps.h"
#include "core/ir/Verify.h"
#include "mlir/Interfaces/FunctionImplementation.h"

#define GET_OP_CLASSES
#include "core/ir/FuncOps.cpp.inc"

using namespace mlir;

namespace trisect::tt {

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs, ArrayRef<DictionaryAttr> argAttrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
  if (!argAttrs.empty())
    function_interface_impl::addArgAndResultAttrs(builder, state, argAttrs, std::nullopt,
                                                  getArgAttrsAttrName(state.name),
                                                  getResAttrsAttrName(state.name));
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

void FuncOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  if (region.empty())
    return;
  for (BlockArgument argument : region.getArguments())
    if (auto named = llvm::dyn_cast<NameLoc>(argument.getLoc()))
      setName(argument, named.getName());
}

bool FuncOp::isNoInline() {
  auto flag = (*this)->getAttr(kNoInlineAttr);
  auto boolean = llvm::dyn_cast_if_present<BoolAttr>(flag);
  return boolean ? boolean.getValue() : static_cast<bool>(flag);
}

LogicalResult FuncOp::verify() {
  auto emitError = [this] { return emitOpError(); };
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (failed(verifyTileType(emitError, type, "argument #" + Twine(index))))
      return failure();
  for (auto [index, type] : llvm::enumerate(getResultTypes()))
    if (failed(verifyTileType(emitError, type, "result #" + Twine(index))))
      return failure();
  return success();
}

void CallOp::build(OpBuilder &builder, OperationState &state, FuncOp callee, ValueRange operands) {
  state.addOperands(operands);
  state.addAttribute("callee", SymbolRefAttr::get(callee));
  state.addTypes(callee.getFunctionType().getResults());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "expected a call of a function of this module, but found '" << getCallee() << "'";
  FunctionType type = callee.getFunctionType();
  if (failed(expectCount(*this, "operands", getNumOperands(), type.getNumInputs(), "as the callee has")))
    return failure();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(getOperandTypes(), type.getInputs())))
    if (failed(expectType(*this, ("operand #" + Twine(index)).str(), std::get<0>(pair), std::get<1>(pair))))
      return failure();
  if (failed(expectCount(*this, "results", getNumResults(), type.getNumResults(), "as the callee has")))
    return failure();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(getResultTypes(), type.getResults())))
    if (failed(expectType(*this, ("result #" + Twine(index)).str(), std::get<0>(pair), std::get<1>(pair))))
      return failure();
  return success();
}

LogicalResult ReturnOp::verify() {
  FunctionType type = cast<FuncOp>((*this)->getParentOp()).getFunctionType();
  if (failed(expectCount(*this, "values", getNumOperands(), type.getNumResults(), "as the function returns")))
    return failure();
  for (auto [index, pair] : llvm::enumerate(llvm::zip(getOperandTypes(), type.getResults())))
    if (failed(expectType(*this, ("value #" + Twine(index)).str(), std::get<0>(pair), std::get<1>(pair))))
      return failure();
  return success();
}

} // namespace trisect::tt
