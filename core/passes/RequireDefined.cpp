//===- RequireDefined.cpp - undefined values must not decide the way of a program -----------------------===//
//
// What: in front of each loop, branch, descriptor and block pointer whose bounds, condition, shape or strides
// come from an operation that may leave its result undefined, an assertion that they are defined; that a
// descriptor has no negative side is asserted too; `require-defined-pointers` adds those of block pointers
// alone, for who expands them afterwards. Why: TTIR gives such a loop no trip count; each tier would
// run some. How: back from what decides (Definedness.h); for each origin found, a condition under which what
// decides does not hang on it (a select hangs on the arm that it takes; false and x is false). Limits: a
// value that a loop, branch, jump or call hands on counts as used, a block that one hands on is not followed;
// what memory holds is defined.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/passes/RequireDefined.h"
#include "core/ir/Locations.h"
#include "core/ir/Ops.h"
#include "core/passes/Definedness.h"
#include "core/passes/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

namespace trisect::tt {

#define GEN_PASS_DEF_REQUIREDEFINED
#define GEN_PASS_DEF_REQUIREDEFINEDPOINTERS
#include "core/passes/Passes.h.inc"

namespace {
using namespace mlir;

/// Something that must be defined where `user` stands.
struct Decision {
  Operation *user;
  Value value;
  std::string what;
};

/// A compiler puts such a value where nothing reads it: that it is handed on means nothing.
bool isWithoutValue(Operation *op) { return op->getNumOperands() == 0; }

std::string ofDimension(const char *what, size_t n) {
  return std::string(what) + " of this tensor in dimension " + std::to_string(n);
}

void decisionsOfPointer(MakeTensorPtrOp op, llvm::SmallVectorImpl<Decision> &all) {
  for (auto [n, value] : llvm::enumerate(op.getShape()))
    all.push_back({op, value, ofDimension("the shape", n)});
  for (auto [n, value] : llvm::enumerate(op.getStrides()))
    all.push_back({op, value, ofDimension("the stride", n)});
}

void decisionsOf(Operation *op, llvm::SmallVectorImpl<Decision> &all) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    for (Value value : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      all.push_back({op, value, "the trip count of this loop"});
  else if (auto branch = dyn_cast<scf::IfOp>(op))
    all.push_back({op, branch.getCondition(), "the condition of this branch"});
  else if (auto jump = dyn_cast<cf::CondBranchOp>(op))
    all.push_back({op, jump.getCondition(), "the condition of this branch"});
  else if (auto again = dyn_cast<scf::ConditionOp>(op))
    all.push_back({op, again.getCondition(), "the condition of this loop"});
  else if (auto descriptor = dyn_cast<MakeTensorDescOp>(op)) {
    for (auto [n, value] : llvm::enumerate(descriptor.getShape()))
      all.push_back({op, value, ofDimension("the shape", n)});
    for (auto [n, value] : llvm::enumerate(descriptor.getStrides()))
      all.push_back({op, value, ofDimension("the stride", n)});
  } else if (auto pointer = dyn_cast<MakeTensorPtrOp>(op)) {
    decisionsOfPointer(pointer, all);
  }
}

/// The calls of each function.
using Calls = llvm::DenseMap<StringAttr, llvm::SmallVector<CallOp>>;

/// What is handed to a block argument or a result of an operation with regions, by the operation that does.
void handedTo(Value value, const Calls &calls, llvm::SmallVectorImpl<Decision> &all) {
  auto add = [&](Operation *user, Value handed) {
    all.push_back({user, handed, "a value that decides the way of this program"});
  };
  auto ends = [&](Operation *parent, unsigned n) {
    for (Region &region : parent->getRegions())
      for (Block &block : region)
        if (auto yield = dyn_cast<scf::YieldOp>(block.getTerminator()))
          add(yield, yield.getOperand(n));
  };
  if (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    unsigned n = result.getResultNumber();
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return add(loop.getConditionOp(), loop.getConditionOp().getArgs()[n]);
    if (isa<scf::ForOp, scf::IfOp>(op))
      ends(op, n);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      add(op, loop.getInitArgs()[n]);
    return;
  }
  auto argument = cast<BlockArgument>(value);
  Block *block = argument.getOwner();
  Operation *parent = block->getParentOp();
  unsigned n = argument.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (n == 0)
      return; // its bounds are looked at anyway
    add(loop, loop.getInitArgs()[n - 1]);
    ends(parent, n - 1);
  } else if (auto whileLoop = dyn_cast<scf::WhileOp>(parent)) {
    if (block == whileLoop.getAfterBody())
      return add(whileLoop.getConditionOp(), whileLoop.getConditionOp().getArgs()[n]);
    add(whileLoop, whileLoop.getInits()[n]);
    add(whileLoop.getYieldOp(), whileLoop.getYieldOp().getOperand(n));
  } else if (auto function = dyn_cast<FuncOp>(parent); function && block->isEntryBlock()) {
    for (CallOp call : calls.lookup(function.getSymNameAttr()))
      add(call, call.getOperand(n));
  } else {
    for (Block *before : block->getPredecessors())
      if (auto jump = dyn_cast<BranchOpInterface>(before->getTerminator()))
        for (unsigned to = 0; to < jump->getNumSuccessors(); ++to)
          if (jump->getSuccessor(to) == block)
            if (Value handed = jump.getSuccessorOperands(to)[n])
              add(jump, handed);
  }
}

enum class Of { Everything, BlockPointers };

/// Asserts in front of what a decision decides.
class Requirements {
public:
  /// Without helpers the module stays as it is, and what they compute is not looked into.
  Requirements(ModuleOp module, Helpers *helpers, Of of = Of::Everything) : helpers(helpers) {
    llvm::SmallVector<Decision> decisions;
    Calls calls;
    module.walk([&](Operation *op) {
      if (of == Of::Everything)
        decisionsOf(op, decisions);
      else if (auto pointer = dyn_cast<MakeTensorPtrOp>(op))
        decisionsOfPointer(pointer, decisions);
      if (auto call = dyn_cast<CallOp>(op))
        calls[call.getCalleeAttr().getAttr()].push_back(call);
    });
    size_t own = decisions.size();
    llvm::DenseSet<Value> handed;
    for (size_t at = 0; at < decisions.size(); ++at) {
      Origins origins = originsOf(decisions[at].value, helpers);
      computed |= origins.computed;
      for (Value value : origins.handed)
        if (handed.insert(value).second)
          handedTo(value, calls, decisions);
      for (Operation *origin : origins.operations)
        if (at < own || !isWithoutValue(origin))
          found.push_back({decisions[at], origin});
    }
    if (of == Of::BlockPointers)
      return;
    module.walk([&](MakeTensorDescOp op) {
      signedSides(op, op.getShape(), "the shape");
      signedSides(op, op.getStrides(), "the stride");
    });
  }

  bool any() const { return computed || !found.empty() || !sides.empty(); }

  void add() {
    for (auto &[decision, origin] : found)
      defined(decision, origin);
    for (const Decision &side : sides)
      notNegative(side);
  }

private:
  void defined(const Decision &decision, Operation *origin) {
    std::string place = positionOf(origin->getLoc()).str();
    std::string message = decision.what + " hangs on an undefined value: " + reasonOf(origin) +
                          (place.empty() ? "" : " at " + place);
    holds(decision.user, definedApartFrom(decision.value, origin, *helpers), message, true);
  }

  void signedSides(Operation *op, OperandRange values, const char *what) {
    for (auto [n, value] : llvm::enumerate(values)) {
      APInt known;
      if (!matchPattern(value, m_ConstantInt(&known)) || known.isNegative())
        sides.push_back({op, value, ofDimension(what, n) + " is negative"});
    }
  }

  void notNegative(const Decision &side) {
    OpBuilder builder(side.user);
    Location loc = side.user->getLoc();
    Value zero = builder.create<arith::ConstantOp>(loc, builder.getZeroAttr(side.value.getType()));
    holds(side.user, builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, side.value, zero),
          side.what, false);
  }

  void holds(Operation *user, Value condition, const std::string &message, bool ofOrigin) {
    if (!condition || !told.insert({user, condition}).second)
      return;
    OpBuilder builder(user);
    auto check = builder.create<AssertOp>(user->getLoc(), condition, message);
    check->setAttr(kDefinedAttr, builder.getBoolAttr(ofOrigin));
  }

  Helpers *helpers;
  bool computed = false; ///< by a helper, maybe from what is undefined
  llvm::SmallVector<std::pair<Decision, Operation *>> found;
  llvm::SmallVector<Decision> sides; ///< of descriptors, which must not be negative
  llvm::DenseSet<std::pair<Operation *, Value>> told;
};

void require(ModuleOp module, Of of) {
  Helpers helpers;
  Requirements(module, &helpers, of).add();
}

struct RequireDefined : impl::RequireDefinedBase<RequireDefined> {
  void runOnOperation() override { require(getOperation(), Of::Everything); }
};

struct RequireDefinedPointers : impl::RequireDefinedPointersBase<RequireDefinedPointers> {
  void runOnOperation() override { require(getOperation(), Of::BlockPointers); }
};

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> withRequirements(mlir::ModuleOp module) {
  if (!Requirements(module, nullptr).any())
    return nullptr;
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  require(*copy, Of::Everything);
  return copy;
}

} // namespace trisect::tt
