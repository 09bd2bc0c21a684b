//===- Prints.cpp - tt.print ----------------------------------------------------------------------------===//
//
// What: hands the elements of its operands over as they lie in memory (cpu/runtime/Print.h). Limits: a line
// for each element; where no tier is demanded, kernels that print stay in tier 0, which shows blocks
// (jit/launch/TieredKernel).
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Effects.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Evaluator.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <algorithm>
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// The elements as they are handed over: narrow floats as f32, i1 as a byte.
Type printedType(Code &code, Type element) {
  if (isNarrowFloat(element))
    return code.f32();
  return isa<FloatType>(element) ? element : Type(code.b.getIntegerType(8 * memoryBytes(element)));
}
} // namespace

void BlockEmitter::emitPrint(tt::PrintOp op) {
  if (op->hasAttr("tt.statement"))
    return;
  state.loc = op.getLoc();
  Code code = state.code();
  std::string description = op.getPrefix().str();
  std::replace(description.begin(), description.end(), '\n', ' ');
  SmallVector<Buffer> buffers;
  for (auto [n, operand] : llvm::enumerate(op.getArgs())) {
    Type element = ttElement(operand.getType());
    bool real = isa<FloatType>(element);
    bool isSigned = n < op.getIsSigned().size() && op.getIsSigned()[n] != 0 && !isa<tt::PtrType>(element);
    Type printed = real ? printedType(code, element) : element;
    buffers.push_back(state.makeBuffer(printed, ttShape(operand.getType())));
    description += "\n";
    description += real ? "f" : isSigned && !element.isInteger(1) ? "s" : "u";
    description += " " + std::to_string(8 * memoryBytes(printed)) +
                   (op.getHex() || isa<tt::PtrType>(element) ? " 1" : " 0");
    for (int64_t extent : ttShape(operand.getType()))
      description += " " + std::to_string(extent);
    if (isa<RankedTensorType>(operand.getType()))
      groups.addCopy(operand, buffers.back(), real ? printed : Type());
    else
      groups.require(operand);
  }
  groups.flushAll();
  state.loc = op.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(code.b.getContext());
  Evaluator evaluator(state, 1);
  Buffer addresses = state.makeBuffer(code.i64(), {std::max<int64_t>(1, buffers.size())});
  Buffer program = state.makeBuffer(code.i32(), {3});
  auto at = [&](int64_t n) { return Index{LaneValue::uniform(code.i64(n))}; };
  auto placeOf = [&](const Buffer &buffer) { return code.add(state.scratch, buffer.offset); };
  for (auto [n, operand] : llvm::enumerate(op.getArgs())) {
    if (!isa<RankedTensorType>(operand.getType())) {
      Type element = ttElement(operand.getType());
      Value value = state.scalar(operand);
      if (isa<FloatType>(element))
        value = convertFloat(code, value, element, buffers[n].element);
      evaluator.writeBuffer(buffers[n], {}, LaneValue::uniform(value));
    }
    evaluator.writeBuffer(addresses, at(n), LaneValue::uniform(placeOf(buffers[n])));
  }
  for (int axis = 0; axis < 3; ++axis)
    evaluator.writeBuffer(program, at(axis), LaneValue::uniform(state.programId[axis]));

  auto module = code.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name = "print" + std::to_string(state.prints++);
  description.push_back('\0');
  {
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToStart(module.getBody());
    auto bytes = LLVM::LLVMArrayType::get(code.i8(), description.size());
    code.b.create<LLVM::GlobalOp>(code.loc, bytes, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                  code.b.getStringAttr(description));
  }
  auto field = [&](int64_t offset) -> Value {
    Value address = code.pointer(code.add(state.scratch, code.i64(offset)));
    return code.b.create<LLVM::LoadOp>(code.loc, pointer, address, alignof(void *));
  };
  Value function = field(offsetof(AssertHook, print)), left = field(offsetof(AssertHook, printLeft));
  Value text = code.b.create<LLVM::AddressOfOp>(code.loc, pointer, name);
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(code.b.getContext()),
                                          {pointer, pointer, pointer, pointer});
  markSeen(code.b.create<LLVM::CallOp>(
      code.loc, type,
      ValueRange{function, left, text, code.pointer(placeOf(program)), code.pointer(placeOf(addresses))}));
}

} // namespace trisect::cpu
