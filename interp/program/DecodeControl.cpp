//===- DecodeControl.cpp - loops, branches, calls and regions as jumps ----------------------------------===//
//
// scf.for:    move lb, inits → iv, args; H: ForTest iv ub step → E; body; move yields → args; ForNext iv → H;
// E: scf.while:  move inits → before; H: before; move passed → after; Branch c → E; after; move yields →
// before; H; E: scf.if:     Branch c → else; then; move; jump E; else: ...; move; E: The results of a loop
// are its own carried slots: they keep their values after it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/CallLimits.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "interp/program/Decoder.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace trisect::interp {

Slots Decoder::gather(mlir::OperandRange range) {
  Slots all;
  for (mlir::Value value : range)
    all.append(slots(value));
  return all;
}

void Decoder::yieldTo(mlir::Operation *terminator, llvm::ArrayRef<SlotId> to, uint8_t flags) {
  Slots from = gather(terminator->getOperands());
  emitMove(from, to, flags);
}

void Decoder::control(mlir::Operation *op, OpId id) {
  switch (id) {
  case OpId::scf_for:
    return forLoop(op);
  case OpId::scf_while:
    return whileLoop(op);
  case OpId::scf_if:
    return conditional(op);
  case OpId::tt_call:
    return call(op);
  case OpId::tt_return: {
    Slots from = gather(op->getOperands());
    emitMove(from, returnSlots);
    if (op->getBlock() != &op->getParentRegion()->back())
      emitJump(returnLabel);
    return;
  }
  case OpId::cf_br: {
    auto br = llvm::cast<mlir::cf::BranchOp>(op);
    Slots to;
    for (mlir::Value argument : br.getDest()->getArguments())
      to.append(slots(argument));
    emitMove(gather(br.getDestOperands()), to);
    emitJump(blockLabels[br.getDest()]);
    return;
  }
  case OpId::cf_cond_br: {
    auto br = llvm::cast<mlir::cf::CondBranchOp>(op);
    unsigned otherwise = newLabel();
    jumpsTo(emit(Opcode::Branch, {slot(br.getCondition())}, {}), otherwise);
    auto edge = [&](mlir::Block *dest, mlir::OperandRange operands) {
      Slots to;
      for (mlir::Value argument : dest->getArguments())
        to.append(slots(argument));
      emitMove(gather(operands), to);
      emitJump(blockLabels[dest]);
    };
    edge(br.getTrueDest(), br.getTrueDestOperands());
    place(otherwise);
    edge(br.getFalseDest(), br.getFalseDestOperands());
    return;
  }
  case OpId::tt_reduce:
    return regionOp(op, Opcode::Reduce, static_cast<uint64_t>(intAttr(op, "axis")));
  case OpId::tt_scan:
    return regionOp(op, Opcode::Scan, static_cast<uint64_t>(intAttr(op, "axis")));
  case OpId::tt_map_elementwise:
    return regionOp(op, Opcode::Map, static_cast<uint64_t>(intAttr(op, "pack", 1)));
  case OpId::tt_reduce_return:
  case OpId::tt_scan_return:
  case OpId::tt_map_elementwise_return:
    emitMove(gather(op->getOperands()), returnSlots);
    if (op->getBlock() != &op->getParentRegion()->back())
      emitJump(returnLabel);
    return;
  case OpId::scf_yield:
  case OpId::scf_condition:
    return; // by the operation around it
  default:
    unsupported(op, "operation " + op->getName().getStringRef().str() + " here");
  }
}

const Slots &Decoder::defineCarried(mlir::Value argument, mlir::Value next) {
  const Slots &made = define(argument);
  if (!program.slots[made.front()].name)
    name(argument, next.getLoc());
  return made;
}

void Decoder::forLoop(mlir::Operation *op) {
  auto loop = llvm::cast<mlir::scf::ForOp>(op);
  SlotId iv = define(loop.getInductionVar()).front();
  SlotId bound = slot(loop.getUpperBound()), step = slot(loop.getStep());
  Slots from = {slot(loop.getLowerBound())}, carried;
  from.append(gather(loop.getInitArgs()));
  for (auto [argument, next] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
    carried.append(defineCarried(argument, next));
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs())) {
    bind(result, slots(argument));
    name(result, result.getLoc());
  }
  Slots to = {iv};
  to.append(carried);
  uint32_t here = currentLocation;
  emitMove(from, to);
  unsigned head = newLabel(), end = newLabel();
  place(head);
  jumpsTo(emit(Opcode::ForTest, {iv, bound, step}, {}), end);
  hints(loop.getBody()->getArguments());
  block(*loop.getBody());
  currentLocation = here;
  currentOp = OpId::scf_for;
  yieldTo(loop.getBody()->getTerminator(), carried);
  jumpsTo(emit(Opcode::ForNext, {iv, step}, {iv}), head);
  place(end);
}

/// Whether a loop reads memory that another program may change, so that it may be waiting for it.
bool Decoder::mayWait(mlir::Region &region) {
  return region
      .walk([&](mlir::Operation *op) {
        auto id = opFromMnemonic(std::string_view(op->getName().getStringRef()));
        bool reads = id && (info(*id).cls == OpClass::Atomic || *id == OpId::tt_load || *id == OpId::tt_call);
        return reads ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

void Decoder::whileLoop(mlir::Operation *op) {
  auto loop = llvm::cast<mlir::scf::WhileOp>(op);
  Slots before, after;
  for (auto [argument, next] : llvm::zip(loop.getBeforeArguments(), loop.getYieldOp().getOperands()))
    before.append(defineCarried(argument, next));
  for (auto [argument, next] : llvm::zip(loop.getAfterArguments(), loop.getConditionOp().getArgs()))
    after.append(defineCarried(argument, next));
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getAfterArguments())) {
    bind(result, slots(argument));
    name(result, result.getLoc());
  }
  uint8_t spin = mayWait(loop.getBefore()) || mayWait(loop.getAfter()) ? FlagSpin : 0;
  program.mayWait |= spin != 0;
  uint32_t here = currentLocation;
  emitMove(gather(loop.getInits()), before);
  unsigned head = newLabel(), end = newLabel();
  place(head);
  block(*loop.getBeforeBody());
  auto condition = llvm::cast<mlir::scf::ConditionOp>(loop.getBeforeBody()->getTerminator());
  currentLocation = here;
  currentOp = OpId::scf_while;
  SlotId go = slot(condition.getCondition());
  emitMove(gather(condition.getArgs()), after);
  jumpsTo(emit(Opcode::Branch, {go}, {}), end);
  hints(loop.getAfterArguments());
  block(*loop.getAfterBody());
  currentLocation = here;
  currentOp = OpId::scf_while;
  yieldTo(loop.getAfterBody()->getTerminator(), before, spin);
  emitJump(head);
  last().flags |= spin;
  place(end);
}

void Decoder::conditional(mlir::Operation *op) {
  auto branch = llvm::cast<mlir::scf::IfOp>(op);
  Slots results;
  for (mlir::Value result : branch.getResults())
    results.append(define(result));
  unsigned otherwise = newLabel(), end = newLabel();
  uint32_t here = currentLocation;
  jumpsTo(emit(Opcode::Branch, {slot(branch.getCondition())}, {}), otherwise);
  block(*branch.thenBlock());
  currentLocation = here;
  currentOp = OpId::scf_if;
  yieldTo(branch.thenYield(), results);
  bool hasElse = !branch.getElseRegion().empty();
  if (hasElse)
    emitJump(end);
  place(otherwise);
  if (hasElse) {
    block(*branch.elseBlock());
    currentLocation = here;
    currentOp = OpId::scf_if;
    yieldTo(branch.elseYield(), results);
  }
  place(end);
}

void Decoder::call(mlir::Operation *op) {
  auto callee = op->getAttrOfType<mlir::FlatSymbolRefAttr>("callee");
  auto function = callee ? module.lookupSymbol<mlir::FunctionOpInterface>(callee.getValue()) : nullptr;
  if (!function)
    invalid(op, "call of a function that the module does not have");
  if (function.isExternal())
    unsupported(op, "call of the external function '" + callee.getValue().str() + "'");
  if (llvm::is_contained(callStack, function.getOperation()))
    unsupported(op, "recursion through '" + callee.getValue().str() + "'");
  if (callStack.size() > tt::kDeepestCalls)
    unsupported(op, "calls more than " + std::to_string(tt::kDeepestCalls) +
                        " deep inside each other (merge helpers, or write the chain as a loop)");
  llvm::DenseMap<mlir::Value, Slots> own;
  for (auto [argument, operand] : llvm::zip(function.getArguments(), op->getOperands()))
    own[argument] = slots(operand);
  Slots results;
  for (mlir::Value result : op->getResults())
    results.append(define(result));
  auto *outer = values;
  uint32_t outerCaller = currentCaller, outerLocation = currentLocation;
  values = &own;
  uint32_t outerStatement = currentStatement, outerCalling = callingStatement;
  currentCaller = currentLocation;
  callingStatement = currentStatement;
  callStack.push_back(function);
  unsigned end = newLabel();
  body(function.getFunctionBody(), results, end);
  place(end);
  callStack.pop_back();
  values = outer;
  currentCaller = outerCaller;
  currentLocation = outerLocation;
  currentStatement = outerStatement;
  callingStatement = outerCalling;
}

void Decoder::regionOp(mlir::Operation *op, Opcode opcode, uint64_t attribute) {
  simple(op, opcode, attribute);
  uint32_t at = here() - 1;
  uint32_t extra = 0;
  {
    Extra &made = newExtra(last());
    extra = program.code[at].extra;
    if (opcode == Opcode::Scan)
      made.ints.push_back(intAttr(op, "reverse"));
  }
  RegionInfo region;
  mlir::Region &code = op->getRegion(0);
  for (mlir::Value argument : code.front().getArguments())
    for (SlotId made : define(argument))
      region.args.push_back(made);
  mlir::Operation *terminator = nullptr;
  for (mlir::Block &each : code)
    if (each.getNumSuccessors() == 0)
      terminator = each.getTerminator();
  for (mlir::Value value : terminator->getOperands())
    for (SlotId made : newSlots(value.getType(), op))
      region.results.push_back(made);
  unsigned end = newLabel();
  bool statements = std::exchange(wantsStatements, false);
  body(code, region.results, end);
  wantsStatements = statements;
  place(end);
  emit(Opcode::RegionEnd, region.results, {});
  unsigned after = newLabel();
  place(after);
  jumpsTo(at, after);
  program.extras[extra].region = std::move(region);
}

} // namespace trisect::interp
