//===- OpForOp.cpp - a switch over operations -----------------------------------------------------------===//
#include "backends/cpu/OpForOp.h"
#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace trisect::cpu {

namespace {

bool isPlain(Type type) {
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.getRank() != 1 || vector.isScalable())
      return false;
    type = vector.getElementType();
  }
  return type.isSignlessInteger() || isa<LLVM::LLVMPointerType>(type) || type.isF32() || type.isF64() ||
         type.isF16() || type.isBF16();
}

// The operations that come in the place of one: null, if there are none.
class Counterpart {
public:
  explicit Counterpart(OpBuilder &builder) : b(builder) {}

  Operation *of(Operation *op) {
    loc = op->getLoc();
    b.setInsertionPoint(op);
    return llvm::TypeSwitch<Operation *, Operation *>(op)
        .Case([&](arith::ConstantOp each) {
          return b.create<LLVM::ConstantOp>(loc, each.getType(), each.getValueAttr());
        })
        .Case([&](arith::AddIOp each) { return wrapping<LLVM::AddOp>(each); })
        .Case([&](arith::SubIOp each) { return wrapping<LLVM::SubOp>(each); })
        .Case([&](arith::MulIOp each) { return wrapping<LLVM::MulOp>(each); })
        .Case([&](arith::ShLIOp each) { return wrapping<LLVM::ShlOp>(each); })
        .Case([&](arith::SelectOp each) { return same<LLVM::SelectOp>(each); })
        .Case([&](arith::CmpIOp each) { return comparison<LLVM::ICmpOp, LLVM::ICmpPredicate>(each); })
        .Case([&](arith::CmpFOp each) {
          Operation *made = comparison<LLVM::FCmpOp, LLVM::FCmpPredicate>(each);
          cast<LLVM::FCmpOp>(made).setFastmathFlags(
              arith::convertArithFastMathFlagsToLLVM(each.getFastmath()));
          return made;
        })
        .Case([&](vector::ShuffleOp each) { return shuffle(each); })
        .Case([&](vector::SplatOp each) { return splat(each); })
        .Case([&](vector::ExtractOp each) { return extract(each); })
        .Case([&](math::FmaOp each) { return fast<LLVM::FMAOp>(each); })
        .Case([&](arith::AddFOp each) { return fast<LLVM::FAddOp>(each); })
        .Case([&](arith::SubFOp each) { return fast<LLVM::FSubOp>(each); })
        .Case([&](arith::MulFOp each) { return fast<LLVM::FMulOp>(each); })
        .Case([&](arith::DivFOp each) { return fast<LLVM::FDivOp>(each); })
        .Case([&](arith::NegFOp each) { return fast<LLVM::FNegOp>(each); })
        .Case([&](arith::AndIOp each) { return same<LLVM::AndOp>(each); })
        .Case([&](arith::OrIOp each) { return same<LLVM::OrOp>(each); })
        .Case([&](arith::XOrIOp each) { return same<LLVM::XOrOp>(each); })
        .Case([&](arith::ExtSIOp each) { return same<LLVM::SExtOp>(each); })
        .Case([&](arith::ExtUIOp each) { return same<LLVM::ZExtOp>(each); })
        .Case([&](arith::TruncIOp each) { return same<LLVM::TruncOp>(each); })
        .Case([&](arith::MaxSIOp each) { return same<LLVM::SMaxOp>(each); })
        .Case([&](arith::MinSIOp each) { return same<LLVM::SMinOp>(each); })
        .Case([&](arith::MaxUIOp each) { return same<LLVM::UMaxOp>(each); })
        .Case([&](arith::MinUIOp each) { return same<LLVM::UMinOp>(each); })
        .Case([&](arith::BitcastOp each) { return same<LLVM::BitcastOp>(each); })
        .Case([&](arith::ShRSIOp each) { return same<LLVM::AShrOp>(each); })
        .Case([&](arith::ShRUIOp each) { return same<LLVM::LShrOp>(each); })
        .Case([&](arith::DivSIOp each) { return same<LLVM::SDivOp>(each); })
        .Case([&](arith::DivUIOp each) { return same<LLVM::UDivOp>(each); })
        .Case([&](arith::RemSIOp each) { return same<LLVM::SRemOp>(each); })
        .Case([&](arith::RemUIOp each) { return same<LLVM::URemOp>(each); })
        .Case([&](arith::SIToFPOp each) { return same<LLVM::SIToFPOp>(each); })
        .Case([&](arith::UIToFPOp each) { return same<LLVM::UIToFPOp>(each); })
        .Case([&](arith::FPToSIOp each) { return same<LLVM::FPToSIOp>(each); })
        .Case([&](arith::FPToUIOp each) { return same<LLVM::FPToUIOp>(each); })
        .Case([&](cf::BranchOp each) {
          return b.create<LLVM::BrOp>(loc, each.getDestOperands(), each.getDest());
        })
        .Case([&](cf::CondBranchOp each) {
          return b.create<LLVM::CondBrOp>(loc, each.getCondition(), each.getTrueDest(),
                                          each.getTrueDestOperands(), each.getFalseDest(),
                                          each.getFalseDestOperands());
        })
        .Default([](Operation *) { return nullptr; });
  }

private:
  template <class To> Operation *same(Operation *op) {
    return b.create<To>(loc, op->getResultTypes(), op->getOperands());
  }

  template <class To, class From> Operation *wrapping(From op) {
    return b.create<To>(loc, op.getLhs(), op.getRhs(),
                        arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags()));
  }

  template <class To, class From> Operation *fast(From op) {
    auto made = b.create<To>(loc, op->getResultTypes(), op->getOperands());
    made.setFastmathFlags(arith::convertArithFastMathFlagsToLLVM(op.getFastmath()));
    return made;
  }

  template <class To, class Predicate, class From> Operation *comparison(From op) {
    return b.create<To>(loc, op.getType(), static_cast<Predicate>(op.getPredicate()), op.getLhs(),
                        op.getRhs());
  }

  Operation *shuffle(vector::ShuffleOp op) {
    if (op.getV1().getType() != op.getV2().getType())
      return nullptr;
    auto order = llvm::map_to_vector(op.getMask().getAsValueRange<IntegerAttr>(),
                                     [](const APInt &from) { return int32_t(from.getSExtValue()); });
    return b.create<LLVM::ShuffleVectorOp>(loc, op.getV1(), op.getV2(), order);
  }

  Operation *splat(vector::SplatOp op) {
    VectorType type = op.getType();
    Value none = shared(type, [&] { return b.create<LLVM::UndefOp>(loc, type); });
    Value first = b.create<LLVM::InsertElementOp>(loc, none, op.getInput(), number(b.getI32Type(), 0));
    SmallVector<int32_t> order(type.getNumElements(), 0);
    return b.create<LLVM::ShuffleVectorOp>(loc, first, none, order);
  }

  Operation *extract(vector::ExtractOp op) {
    if (op.getStaticPosition().size() != 1 || !op.getDynamicPosition().empty())
      return nullptr;
    Value position = number(b.getI64Type(), op.getStaticPosition().front());
    return b.create<LLVM::ExtractElementOp>(loc, op.getVector(), position);
  }

  Value number(Type type, int64_t value) {
    auto attribute = IntegerAttr::get(type, value);
    return shared(attribute, [&] { return b.create<LLVM::ConstantOp>(loc, type, attribute); });
  }

  // One for the whole function, at its begin. `key`: an attribute, or the type of a value without content.
  Value shared(PointerUnion<Attribute, Type> key, llvm::function_ref<Value()> make) {
    Region *function = b.getInsertionBlock()->getParent();
    Value &known = constants[{function, key.getOpaqueValue()}];
    if (!known) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function->front());
      known = make();
    }
    return known;
  }

  OpBuilder &b;
  Location loc = b.getUnknownLoc();
  llvm::DenseMap<std::pair<Region *, void *>, Value> constants;
};

bool isForeign(Operation *op) { return !isa<LLVM::LLVMDialect>(op->getDialect()) && !isa<ModuleOp>(op); }

} // namespace

bool convertOpForOp(ModuleOp module) {
  OpBuilder builder(module.getContext());
  Counterpart counterpart(builder);
  bool all = true;
  // From the end: what nothing uses has gone before its operands are looked at.
  module->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (!isForeign(op))
      return;
    if (isOpTriviallyDead(op))
      return op->erase();
    Operation *made = nullptr;
    if (llvm::all_of(op->getOperandTypes(), isPlain) && llvm::all_of(op->getResultTypes(), isPlain))
      made = counterpart.of(op);
    if (!made) {
      all = false;
      return;
    }
    op->replaceAllUsesWith(made);
    op->erase();
  });
  return all;
}

} // namespace trisect::cpu
