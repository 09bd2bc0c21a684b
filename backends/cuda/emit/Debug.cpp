//===- Debug.cpp - assertions and prints ----------------------------------------------------------------===//
//
// What: writes records (Record.h) into the buffer of the launch; without a buffer nothing is written. A block
// in which an assertion fails ends as a whole, and blocks that start later end at once.
// Limits: a false element of a block is reported by one of its threads, others beside it perhaps as well.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "core/ir/Locations.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <cstddef>

using namespace llvm;
using mlir::RankedTensorType;

namespace trisect::cuda {

namespace {
RecordSite::Operand operandOf(mlir::Type type, bool isSigned) {
  RecordSite::Operand operand;
  operand.type = *tt::dtypeOf(tt::elementOf(type));
  operand.isSigned = isSigned;
  operand.isTensor = isa<RankedTensorType>(type);
  ArrayRef<int64_t> shape = tt::shapeOf(type);
  operand.shape.assign(shape.begin(), shape.end());
  return operand;
}

Value *at(Emitter &e, size_t offset) { return e.b.CreateAdd(e.frame.launch.record, e.b.getInt64(offset)); }

/// Appends a record; the thread runs this alone.
void write(Emitter &e, unsigned site, Value *element, unsigned operand, Value *value) {
  IRBuilder<> &b = e.b;
  Ordering relaxed{tt::MemSemantic::Relaxed, tt::MemScope::Gpu};
  Value *start = e.machine.atomicRmw(AtomicKind::Add, DType::I32, at(e, offsetof(RecordBuffer, used)),
                                     e.i32(recordWords), nullptr, relaxed);
  Value *capacity = e.machine.atomicLoad(at(e, offsetof(RecordBuffer, capacity)), 32, nullptr, relaxed);
  // The count goes on beyond the capacity and may wrap around only after 2^32 words.
  Value *fits = b.CreateICmpULE(b.CreateAdd(start, e.i32(recordWords)), capacity);
  Value *low = e.i32(0), *high = e.i32(0);
  if (value) {
    Value *bits = b.CreateZExt(e.toWord(value), b.getInt64Ty());
    low = b.CreateTrunc(bits, b.getInt32Ty());
    high = b.CreateTrunc(b.CreateLShr(bits, 32), b.getInt32Ty());
  }
  Value *words[recordWords] = {
      e.i32(site), e.programId(0), e.programId(1), e.programId(2), element, e.i32(operand), low, high};
  Value *base = b.CreateAdd(at(e, sizeof(RecordBuffer)), b.CreateShl(b.CreateZExt(start, b.getInt64Ty()), 2));
  for (unsigned i = 0; i < recordWords; ++i)
    e.machine.storeGlobal(b.CreateAdd(base, b.getInt64(4 * i)), {words[i]}, fits, {});
}

Value *hasBuffer(Emitter &e) { return e.b.CreateICmpNE(e.frame.launch.record, e.b.getInt64(0)); }

void emitAssert(Emitter &e, tt::AssertOp op) {
  IRBuilder<> &b = e.b;
  mlir::Type type = op.getCondition().getType();
  RecordSite site;
  site.text = op.getMessage().str();
  site.position = tt::positionOf(op.getLoc());
  site.operands.push_back(operandOf(type, false));
  unsigned number = e.sites.size();
  e.sites.push_back(std::move(site));
  const Parts conditions = e.parts(op.getCondition());
  bool tensor = isa<RankedTensorType>(type);
  Value *all = conditions[0];
  for (Value *condition : drop_begin(conditions))
    all = b.CreateAnd(all, condition);
  Value *fails = b.CreateNot(all), *mine = e.both(e.writer(type), fails);
  e.when(b.CreateAnd(mine, hasBuffer(e)), [&] {
    Value *element = e.i32(0);
    if (tensor)
      // The last false part in order is overwritten by earlier ones: the first stays.
      for (unsigned n = conditions.size(); n-- > 0;)
        element = b.CreateSelect(conditions[n], element, e.elementNumber(e.placement(type), n));
    write(e, number, element, 0, nullptr);
    e.machine.atomicStore(at(e, offsetof(RecordBuffer, stop)), e.i32(1), nullptr,
                          {tt::MemSemantic::Relaxed, tt::MemScope::Gpu});
  });
  // A scalar is the same for all threads, a block's elements are not.
  Value *ends = tensor ? e.machine.anyInBlock(fails) : fails;
  e.when(ends, [&] { e.machine.exitThread(); });
}

void emitPrint(Emitter &e, tt::PrintOp op) {
  RecordSite site;
  site.kind = RecordSite::Kind::Print;
  site.text = op.getPrefix().str();
  site.position = tt::positionOf(op.getLoc());
  site.hex = op.getHex();
  for (auto [i, operand] : enumerate(op.getArgs()))
    site.operands.push_back(
        operandOf(operand.getType(), i >= op.getIsSigned().size() || op.getIsSigned()[i] != 0));
  unsigned number = e.sites.size();
  e.sites.push_back(std::move(site));
  auto one = [&](mlir::Type type, function_ref<void()> body) {
    e.when(e.both(e.writer(type), hasBuffer(e)), body);
  };
  if (op.getArgs().empty())
    return one(mlir::IntegerType::get(op.getContext(), 32), [&] { write(e, number, e.i32(0), 0, nullptr); });
  for (auto [i, operand] : enumerate(op.getArgs())) {
    const Parts parts = e.parts(operand);
    bool tensor = isa<RankedTensorType>(operand.getType());
    unsigned index = i;
    one(operand.getType(), [&] {
      for (unsigned n = 0; n < parts.size(); ++n)
        write(e, number, tensor ? e.elementNumber(e.placement(operand.getType()), n) : e.i32(0), index,
              parts[n]);
    });
  }
}
} // namespace

bool emitDebug(Emitter &e, mlir::Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (auto assertion = dyn_cast<tt::AssertOp>(op))
    emitAssert(e, assertion);
  else if (auto print = dyn_cast<tt::PrintOp>(op))
    emitPrint(e, print);
  else if (name == "gpu.barrier" || name == "ttg.barrier")
    e.machine.barrier();
  else if (isa<tt::GridDependencyWaitOp>(op))
    e.machine.dependencyWait();
  else if (isa<tt::GridDependencyLaunchDependentsOp>(op))
    e.machine.dependencyLaunch();
  else if (name != "llvm.intr.assume")
    return false;
  return true;
}

} // namespace trisect::cuda
