//===- DecodeAssembly.cpp - inline assembly -------------------------------------------------------------===//
//
// Loads and stores of the text become instructions of the program around one that computes the values.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ptx/AsmAccess.h"
#include "core/ptx/AsmRegisters.h"
#include "interp/program/AsmMachine.h"
#include "interp/program/Decoder.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <bit>

namespace trisect::interp {

void Decoder::inlineAsm(mlir::Operation *op) {
  auto text = op->getAttrOfType<mlir::StringAttr>("asm_string");
  auto constraints = op->getAttrOfType<mlir::StringAttr>("constraints");
  std::string problem;
  auto parsed = parseAsm(text.getValue(), constraints.getValue(), problem);
  AsmParts parts;
  if (parsed)
    parts = splitAccesses(*parsed, problem);
  if (problem.empty())
    problem = unknownInstruction(*parts.values);
  bool accesses = !parts.loads.empty() || !parts.stores.empty();
  int64_t pack = intAttr(op, "packed_element", 1);
  auto sizesOf = [&](mlir::TypeRange types) {
    std::vector<unsigned> sizes;
    for (mlir::Type type : types)
      sizes.push_back(byteSize(dtype(type, op)));
    return sizes;
  };
  if (problem.empty())
    problem =
        registerCountProblem(*parsed, pack, sizesOf(op->getOperandTypes()), sizesOf(op->getResultTypes()));
  if (problem.empty() && accesses && pack != 1)
    problem = "memory access with packed elements";
  if (!problem.empty())
    unsupported(op, "inline assembly: " + problem);

  Slots operands = gather(op->getOperands()), results;
  for (mlir::Value result : op->getResults())
    results.append(define(result));
  auto pointer = [&](const AsmAccess &access) {
    if (access.pointer >= op->getNumOperands() || program.type(operands[access.pointer]) != DType::Ptr)
      unsupported(op, "inline assembly: an address that is no pointer");
    return operands[access.pointer];
  };
  auto element = [&](const AsmAccess &access) {
    static constexpr DType byWidth[] = {DType::I8, DType::I16, DType::I32, DType::I64};
    std::vector<int64_t> dims = program.shape(pointer(access)).dims;
    return newSlot(byWidth[std::countr_zero(access.bytes)], dims);
  };
  Slots stored;
  for (const AsmAccess &access : parts.loads) {
    SlotId from = pointer(access), loaded = element(access);
    emit(Opcode::Load, {from, noSlot, noSlot}, {loaded});
    operands.push_back(loaded);
  }
  for (const AsmAccess &access : parts.stores)
    stored.push_back(element(access));
  results.append(stored.begin(), stored.end());
  emit(Opcode::InlineAsm, operands, results);
  last().attribute = static_cast<uint64_t>(pack);
  newExtra(last()).owner = parts.values;
  for (size_t n = 0; n < stored.size(); ++n) {
    program.writesMemory = true;
    emit(Opcode::Store, {pointer(parts.stores[n]), stored[n], noSlot}, {});
  }
}

} // namespace trisect::interp
