//===- LowerToVectors.cpp - functions around the emitted blocks -----------------------------------------===//
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/emit/Ahead.h"
#include "backends/cpu/emit/BlockEmitter.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/KeepMarks.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/RegionFunction.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/BlockOrder.h"
#include "backends/cpu/plan/Exchange.h"
#include "backends/cpu/plan/ReadOrder.h"
#include "core/ir/MathFunctions.h"
#include "core/support/Launch.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {

class FunctionEmitter {
public:
  FunctionEmitter(tt::FuncOp kernel, const Machine &machine, bool disjoint)
      : kernel(kernel), state(kernel, machine), disjoint(disjoint), pointers(disjoint),
        regions(state, pointers), blocks(state, pointers) {
    state.callRegion = [this](Region &region, ValueRange arguments) {
      return regions.call(region, arguments);
    };
  }

  LoweredKernel run() {
    MLIRContext *context = kernel.getContext();
    state.plan += chooseBlockOrder(kernel);
    state.plan += chooseReadOrder(kernel);
    writeExchanges(kernel);
    blocks.prepare(kernel);
    early = loadsToAskFor(kernel);
    if (!early.empty())
      state.plan += "rows asked for early: " + std::to_string(early.size()) + "\n";
    context->loadDialect<LLVM::LLVMDialect, vector::VectorDialect, scf::SCFDialect, tt::MathFunctions>();
    bool readsWritten = readsWhatItWrites(kernel, pointers);
    state.mayStream = !readsWritten;
    LoweredKernel result;
    result.module = ModuleOp::create(kernel.getLoc());
    state.loc = kernel.getLoc();
    state.builder.setInsertionPointToEnd(result.module->getBody());
    LLVM::LLVMFuncOp program = emitProgram();
    result.scratchBytes = state.placeBuffers(program);
    state.builder.setInsertionPointToEnd(result.module->getBody());
    state.loc = kernel.getLoc();
    bool keeps = !disjoint || readsWritten;
    result.paths = numberPaths(*result.module, program, state.machine, keeps);
    emitEntry(program, !result.paths.empty());
    result.asserts = std::move(state.asserts);
    result.waits = std::move(state.waits);
    result.atomics = state.atomics;
    result.plainArguments = std::move(state.plainArguments);
    result.streamed = std::move(state.streamed);
    result.plan = std::move(state.plan);
    result.reliesOnDisjoint = pointers.reliedOnArguments();
    return result;
  }

private:
  // program(arguments..., program id x, y, z, number of programs x, y, z, scratch)
  LLVM::LLVMFuncOp emitProgram() {
    OpBuilder &b = state.builder;
    SmallVector<Type> inputs;
    for (Type type : kernel.getArgumentTypes()) {
      if (isa<RankedTensorType>(type))
        unsupported(kernel, "a block as an argument");
      inputs.push_back(emittedType(type));
    }
    size_t parameters = inputs.size();
    inputs.append(6, b.getI32Type());
    inputs.push_back(b.getI64Type());
    auto none = LLVM::LLVMVoidType::get(b.getContext());
    auto function = b.create<LLVM::LLVMFuncOp>(
        state.loc, programName, LLVM::LLVMFunctionType::get(none, inputs), LLVM::Linkage::Internal);
    function.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("nounwind")}));
    Block *entry = function.addEntryBlock(b);
    for (auto [argument, value] : llvm::zip(kernel.getBody().getArguments(), entry->getArguments()))
      state.scalars[argument] = value;
    for (int axis = 0; axis < 3; ++axis) {
      state.programId[axis] = entry->getArgument(parameters + axis);
      state.numPrograms[axis] = entry->getArgument(parameters + 3 + axis);
    }
    state.scratch = entry->getArgument(parameters + 6);
    b.setInsertionPointToEnd(entry);
    blocks.emitBlock(kernel.getBody().front());
    b.create<LLVM::ReturnOp>(state.loc, ValueRange());
    return function;
  }

  SmallVector<int32_t> descriptorRanks() {
    if (auto ranks = kernel->getAttrOfType<DenseI32ArrayAttr>(descriptorRanksAttr))
      return llvm::to_vector(ranks.asArrayRef());
    return SmallVector<int32_t>(kernel.getNumArguments(), 0);
  }

  // A DescriptorArg in memory becomes base, shape, strides and whether padding is NaN.
  void takeDescriptor(Value address, int32_t rank, llvm::function_ref<Value(Value, Type, int64_t)> element,
                      llvm::function_ref<void(Value)> take) {
    Code c = state.code();
    constexpr int64_t word = sizeof(int64_t);
    auto fields = [&](int64_t offset) {
      for (int32_t d = 0; d < rank; ++d)
        take(element(address, c.i64(), offset / word + d));
    };
    take(element(address, c.i64(), offsetof(DescriptorArg, address) / word));
    fields(offsetof(DescriptorArg, shape));
    fields(offsetof(DescriptorArg, strides));
    Value padding = element(address, c.i32(), offsetof(DescriptorArg, padding) / sizeof(int32_t));
    constexpr int64_t nan = static_cast<int64_t>(tt::PaddingOption::Nan);
    take(c.zext(c.cmp(arith::CmpIPredicate::eq, padding, c.integer(c.i32(), nan)), c.i64()));
  }

  // What lies in the scratch memory may be another launch's.
  void forgetOthers(Value scratch) {
    if (state.kept.empty())
      return;
    Code c = state.code();
    auto at = [&](int64_t offset) { return c.pointer(c.add(scratch, c.i64(offset))); };
    Value flag = c.b.create<LLVM::LoadOp>(c.loc, c.i8(), at(offsetof(AssertHook, kept)));
    Value kept = c.cmp(arith::CmpIPredicate::ne, flag, c.integer(c.i8(), 0));
    for (int64_t offset : state.kept) {
      Value before = c.b.create<LLVM::LoadOp>(c.loc, c.i64(), at(offset));
      c.b.create<LLVM::StoreOp>(c.loc, c.select(kept, before, c.i64(0)), at(offset));
    }
  }

  // How many axes of the grid the program asks for its place along, those before them included.
  int usedAxes(LLVM::LLVMFuncOp program) {
    int axes = 3;
    while (axes > 0 && program.getArgument(kernel.getNumArguments() + axes - 1).use_empty())
      --axes;
    return axes;
  }

  // The place of a program along the first axes.
  static SmallVector<Value> placeOf(Code &c, Value program, ArrayRef<Value> grid, int axes) {
    SmallVector<Value> ids;
    Value rest = program;
    for (int axis = 0; axis < axes; ++axis) {
      Value extent = c.sext(grid[axis], c.i64());
      ids.push_back(c.trunc(axis < 2 ? c.make<arith::RemUIOp>(rest, extent) : rest, c.i32()));
      if (axis + 1 < axes)
        rest = c.make<arith::DivUIOp>(rest, extent);
    }
    return ids;
  }

  // The ids after `ids`, x first: a division costs as much as a small program.
  static SmallVector<Value> nextProgram(Code &c, ValueRange ids, ArrayRef<Value> grid) {
    SmallVector<Value> next;
    Value carry = c.integer(c.i32(), 1);
    for (auto [axis, id] : llvm::enumerate(ids)) {
      Value stepped = c.add(id, carry);
      Value wraps = axis < 2 ? c.cmp(arith::CmpIPredicate::eq, stepped, grid[axis]) : Value();
      next.push_back(wraps ? c.select(wraps, c.integer(c.i32(), 0), stepped) : stepped);
      if (wraps && axis + 1 < ids.size())
        carry = c.zext(wraps, c.i32());
    }
    return next;
  }

  // A program beyond this thread's range may be one that nobody runs.
  void askForLater(Code &c, scf::ForOp loop, ValueRange arguments, ValueRange ids, ValueRange grid) {
    Value number = c.add(loop.getInductionVar(), c.i64(programsAhead));
    auto there = c.b.create<scf::IfOp>(c.loc, c.cmp(arith::CmpIPredicate::slt, number, loop.getUpperBound()),
                                       /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(c.b);
    c.b.setInsertionPointToStart(there.thenBlock());
    askFor(c, early, arguments, ids, grid);
  }

  // entry(args, grid, begin, end, scratch)
  void emitEntry(LLVM::LLVMFuncOp program, bool hasPaths) {
    OpBuilder &b = state.builder;
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto none = LLVM::LLVMVoidType::get(b.getContext());
    Type i64 = b.getI64Type();
    auto type = LLVM::LLVMFunctionType::get(none, {pointer, pointer, i64, i64, pointer});
    auto function = b.create<LLVM::LLVMFuncOp>(state.loc, entryName, type);
    function.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("nounwind")}));
    Block *block = function.addEntryBlock(b);
    b.setInsertionPointToEnd(block);
    Code c = state.code();
    auto element = [&](Value base, Type stored, int64_t index) -> Value {
      Value address =
          b.create<LLVM::GEPOp>(c.loc, pointer, stored, base, ArrayRef<LLVM::GEPArg>{int32_t(index)});
      return b.create<LLVM::LoadOp>(c.loc, stored, address);
    };
    SmallVector<Value> arguments;
    auto take = [&](Value bits) {
      Type want = emittedType(kernel.getArgumentTypes()[arguments.size()]);
      Type word = b.getIntegerType(want.getIntOrFloatBitWidth());
      arguments.push_back(c.bits(c.trunc(bits, word), want));
    };
    for (auto [i, rank] : llvm::enumerate(descriptorRanks())) {
      Value bits = element(block->getArgument(0), i64, i);
      if (rank == 0)
        take(bits);
      else
        takeDescriptor(c.pointer(bits), rank, element, take);
    }
    SmallVector<Value> grid;
    for (int axis = 0; axis < 3; ++axis)
      grid.push_back(element(block->getArgument(1), b.getI32Type(), axis));
    Value scratch = b.create<LLVM::PtrToIntOp>(c.loc, i64, block->getArgument(4));
    forgetOthers(scratch);
    Value first = block->getArgument(2);
    int axes = usedAxes(program);
    SmallVector<Value> ids = placeOf(c, first, grid, axes);
    if (!early.empty())
      llvm::append_range(ids, placeOf(c, c.add(first, c.i64(programsAhead)), grid, axes));
    auto loop = b.create<scf::ForOp>(c.loc, first, block->getArgument(3), c.i64(1), ids);
    b.setInsertionPointToStart(loop.getBody());
    ValueRange current = loop.getRegionIterArgs().take_front(axes),
               later = loop.getRegionIterArgs().drop_front(axes);
    SmallVector<Value> unasked(3 - axes, c.integer(c.i32(), 0)), place(later);
    llvm::append_range(place, unasked);
    if (!early.empty())
      askForLater(c, loop, arguments, place, grid);
    if (!state.asserts.empty() || hasPaths)
      b.create<LLVM::StoreOp>(c.loc, loop.getInductionVar(),
                              c.pointer(c.add(scratch, c.i64(offsetof(AssertHook, program)))));
    llvm::append_range(arguments, current);
    llvm::append_range(arguments, unasked);
    llvm::append_range(arguments, grid);
    arguments.push_back(scratch);
    b.create<LLVM::CallOp>(c.loc, program, arguments);
    SmallVector<Value> next = nextProgram(c, current, grid);
    if (!early.empty())
      llvm::append_range(next, nextProgram(c, later, grid));
    if (!next.empty()) // else the loop has its end
      b.create<scf::YieldOp>(c.loc, next);
    b.setInsertionPointToEnd(block);
    b.create<LLVM::ReturnOp>(c.loc, ValueRange());
  }

  tt::FuncOp kernel;
  KernelState state;
  SmallVector<tt::LoadOp, 2> early; ///< asked for before their program begins
  bool disjoint;
  Pointers pointers;
  RegionFunctions regions;
  BlockEmitter blocks;
};

} // namespace

LoweredKernel lowerToVectors(tt::FuncOp kernel, const Machine &machine, bool disjoint) {
  return FunctionEmitter(kernel, machine, disjoint).run();
}

} // namespace trisect::cpu
