//===- Emitter.cpp - frame of a kernel, values, types, thread numbers -----------------------------------===//
#include "backends/cuda/emit/Emitter.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "backends/gpu/layouts/XorChain.h"
#include "core/ir/Locations.h"
#include "core/ir/TypeUtils.h"
#include "core/support/Outcome.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Verifier.h"
#include <cstddef>
#include <map>

using namespace llvm;
using mlir::RankedTensorType;
using trisect::gpu::Bits;

namespace trisect::cuda {

void unsupported(mlir::Operation *op, const Twine &why) {
  SourcePosition position = tt::positionOf(op->getLoc());
  std::string text = "the cuda tier cannot run '" + op->getName().getStringRef().str() + "'";
  if (std::string reason = why.str(); !reason.empty())
    text += ": " + reason;
  if (position.known())
    text = position.str() + ": " + text;
  throw Unsupported(text, position);
}

Emitter::Emitter(tt::FuncOp kernel, Machine &machine, IRBuilder<> &builder, const EmitOptions &options)
    : machine(machine), b(builder), options(options), axes(kernel), kernel(kernel) {}

const Parts &Emitter::parts(mlir::Value value) {
  auto found = values.find(value.getAsOpaquePointer());
  if (found == values.end())
    throw EngineError("cuda: a value of '" + value.getDefiningOp()->getName().getStringRef().str() +
                      "' was not emitted");
  return found->second;
}

void Emitter::set(mlir::Value value, Parts parts) { values[value.getAsOpaquePointer()] = std::move(parts); }

Type *Emitter::elementType(mlir::Type type) {
  type = tt::elementOf(type);
  if (isa<mlir::IndexType>(type) || isa<tt::PtrType>(type))
    return b.getInt64Ty();
  if (type.isF32())
    return b.getFloatTy();
  if (type.isF64())
    return b.getDoubleTy();
  return b.getIntNTy(tt::elementBits(type));
}

SmallVector<Type *> Emitter::partTypes(mlir::Type type) {
  unsigned count = isa<RankedTensorType>(type) ? placement(type).held() : 1;
  return SmallVector<Type *>(count, elementType(type));
}

gpu::Layout Emitter::defaultLayout(ArrayRef<int64_t> shape) {
  std::vector<int32_t> sizes(shape.begin(), shape.end()), order;
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  for (int32_t dim = int32_t(shape.size()) - 1; dim >= 0; --dim)
    order.push_back(dim);
  int64_t each = std::clamp<int64_t>(elements / threads(), 1, 4);
  if (!shape.empty())
    each = std::min<int64_t>(each, shape.back());
  return gpu::coalesced(sizes, order, static_cast<int32_t>(each), {static_cast<int32_t>(options.warps), 32});
}

gpu::Layout Emitter::layoutOf(RankedTensorType type) {
  const gpu::Layout *layout = gpu::layoutOf(type);
  return layout ? *layout : defaultLayout(type.getShape());
}

const Placement &Emitter::placement(mlir::Type type) {
  std::unique_ptr<Placement> &slot = placements[type];
  if (!slot)
    slot = std::make_unique<Placement>(layoutOf(cast<RankedTensorType>(type)));
  return *slot;
}

Value *Emitter::atStart(function_ref<Value *()> body) {
  IRBuilder<>::InsertPointGuard guard(b);
  b.SetInsertPoint(start->getTerminator());
  b.SetCurrentDebugLocation(DebugLoc());
  return body();
}

Value *Emitter::thread() {
  if (!threadNumber)
    threadNumber = atStart([&] { return machine.threadId(); });
  return threadNumber;
}

// Where they are asked for: kept from the start they would hold registers all the while.
Value *Emitter::lane() { return b.CreateAnd(thread(), 31); }

Value *Emitter::warp() { return options.warps == 1 ? i32(0) : b.CreateLShr(thread(), 5); }

// The bits of lane and warp are those of the thread's number: what moves by the same distance moves at once.
Value *Emitter::evaluate(const gpu::XorChain &chain) {
  std::map<int32_t, uint32_t> masks;
  for (const gpu::XorTerm &term : chain) {
    if (term.source == Bits::Lane)
      masks[term.shift] ^= term.mask & 31;
    else if (term.source == Bits::Warp)
      masks[term.shift - 5] ^= (term.mask << 5) & (threads() - 1);
  }
  Value *sum = i32(0);
  for (auto [shift, mask] : masks) {
    if (!mask)
      continue;
    Value *from = mask == threads() - 1 ? thread() : b.CreateAnd(thread(), mask);
    from = shift >= 0 ? b.CreateShl(from, shift, "", /*HasNUW=*/true, /*HasNSW=*/true)
                      : b.CreateLShr(from, -shift);
    sum = b.CreateXor(sum, from);
  }
  return sum;
}

Value *Emitter::threadPart(const gpu::Layout &layout, int dim) {
  for (const ThreadPart &part : threadParts)
    if (part.dim == dim && part.layout == layout)
      return part.value;
  thread();
  Value *value = atStart([&]() -> Value * {
    if (dim >= 0)
      return evaluate(gpu::xorChain(layout)[dim]);
    gpu::XorChain chain;
    for (Bits bits : {Bits::Lane, Bits::Warp})
      for (const gpu::XorTerm &term : gpu::xorChain(bits, layout.of(bits)))
        chain.push_back(term);
    return evaluate(chain);
  });
  threadParts.push_back({layout, dim, value});
  return value;
}

Value *Emitter::fromThread(const gpu::Layout &layout) { return threadPart(layout, -1); }

namespace {
/// The bits that lane and warp may set in an element's number.
uint32_t threadBits(const gpu::Layout &layout) {
  uint32_t all = 0;
  for (Bits bits : {Bits::Lane, Bits::Warp})
    for (unsigned bit = 0; bit < layout.bits(bits); ++bit)
      all |= layout.flat(bits, bit);
  return all;
}

/// `a ^ constant`, as a sum where no bit is set in both: sums fold into addresses.
Value *combine(IRBuilder<> &b, Value *a, uint32_t constant, uint32_t bitsOfA) {
  if (constant == 0)
    return a;
  if (bitsOfA & constant)
    return b.CreateXor(a, constant);
  return b.CreateAdd(a, b.getInt32(constant), "", /*HasNUW=*/true, /*HasNSW=*/true);
}
} // namespace

Value *Emitter::elementNumber(const Placement &placement, unsigned n) {
  return combine(b, fromThread(placement.layout()), placement.element(n), threadBits(placement.layout()));
}

Value *Emitter::coordinate(const Placement &placement, unsigned n, unsigned dim) {
  const gpu::Layout &layout = placement.layout();
  uint32_t constant = static_cast<uint32_t>(layout.coordinates(placement.element(n))[dim]);
  uint32_t mask = static_cast<uint32_t>(layout.coordinates(threadBits(layout))[dim]);
  return combine(b, threadPart(layout, static_cast<int>(dim)), constant, mask);
}

Value *Emitter::both(Value *a, Value *c) { return !a ? c : !c ? a : b.CreateAnd(a, c); }

Value *Emitter::soleHolder(const Placement &placement) {
  Value *holds = nullptr;
  if (uint32_t lanes = placement.freeLanes())
    holds = b.CreateICmpEQ(b.CreateAnd(lane(), lanes), i32(0));
  uint32_t warps = placement.freeWarps() & (options.warps - 1);
  // A layout may know of fewer warps than there are.
  warps |= (options.warps - 1) & ~((1u << placement.layout().bits(Bits::Warp)) - 1);
  if (warps)
    holds = both(holds, b.CreateICmpEQ(b.CreateAnd(warp(), warps), i32(0)));
  return holds;
}

// The frame -------------------------------------------------------------------------------------------------

namespace {
std::string entryName(StringRef symbol) {
  std::string name;
  for (char letter : symbol)
    name += isAlnum(letter) || letter == '_' || letter == '$' ? letter : '_';
  return name;
}
} // namespace

void Emitter::openKernel() {
  SmallVector<Type *> parameters;
  for (mlir::Type type : kernel.getArgumentTypes()) {
    if (isa<RankedTensorType>(type))
      unsupported(kernel, "a block as an argument");
    parameters.push_back(elementType(type));
  }
  FrameOptions frameOptions;
  frameOptions.warps = options.warps;
  frameOptions.maxRegisters = options.maxRegisters;
  frame = machine.openFrame(entryName(kernel.getSymName()), parameters, frameOptions);
  if (options.lineInfo)
    lines.emplace(*frame.function, tt::positionOf(kernel.getLoc()));
  start = b.GetInsertBlock();
  BasicBlock *body = newBlock("body");
  b.CreateBr(body);
  b.SetInsertPoint(body);
  for (auto [argument, value] : zip(kernel.getBody().getArguments(), frame.arguments))
    set(argument, value);
}

// A launch is a box of the grid.
void Emitter::emitProgramIds() {
  bool used = false;
  kernel.walk([&](mlir::Operation *op) { used |= isa<tt::GetProgramIdOp, tt::AssertOp, tt::PrintOp>(op); });
  if (!used)
    return;
  for (unsigned axis = 0; axis < 3; ++axis)
    program[axis] = b.CreateAdd(machine.blockId(axis), frame.launch.first[axis], "program");
}

// A block that starts after an assertion failed ends at once.
void Emitter::endIfStopped() {
  bool asserts = false;
  kernel.walk([&](tt::AssertOp) { asserts = true; });
  if (!asserts)
    return;
  when(b.CreateICmpNE(frame.launch.record, b.getInt64(0)), [&] {
    Value *address = b.CreateAdd(frame.launch.record, b.getInt64(offsetof(RecordBuffer, stop)));
    Value *stop = machine.atomicLoad(address, 32, nullptr, {tt::MemSemantic::Relaxed, tt::MemScope::Gpu});
    Value *seen = broadcastFromFirst(kernel, stop);
    when(b.CreateICmpNE(seen, i32(0)), [&] { machine.exitThread(); });
  });
}

EmittedKernel Emitter::run() {
  if (auto attribute = kernel->getAttrOfType<mlir::IntegerAttr>("tile.shared"))
    packedShared = attribute.getInt();
  openKernel();
  findHazards();
  endIfStopped();
  emitProgramIds();
  emitRegion(kernel.getBody());
  dropIdleBarriers(*frame.function, machine);
  EmittedKernel result;
  result.sharedBytes = ownShared ? ownSharedAt() + ownShared : packedShared;
  result.sites = std::move(sites);
  result.questions = std::move(hazards.questions);
  result.entry = frame.function->getName().str();
  lines.reset();
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyFunction(*frame.function, &stream))
    throw EngineError("cuda: the emitted code is not valid: " + problem);
  return result;
}

EmittedKernel emit(tt::FuncOp kernel, Machine &machine, IRBuilder<> &builder, const EmitOptions &options) {
  return Emitter(kernel, machine, builder, options).run();
}

} // namespace trisect::cuda
