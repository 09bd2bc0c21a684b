//===- MathFunctions.cpp - the math dialect without folds that round ------------------------------------===//
#include "core/ir/MathFunctions.h"
#include "core/support/OpTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;

namespace trisect::tt {

namespace {
/// An operation in all but its folds.
template <class Op> struct Unfolded : public Op {
  using Op::Op;
  static OperationName::FoldHookFn getFoldHookFn() {
    return [](Operation *, ArrayRef<Attribute>, SmallVectorImpl<OpFoldResult> &) { return failure(); };
  }
};

/// What the context knows of it is MLIR's class.
template <class Op> struct UnfoldedModel final : public RegisteredOperationName::Model<Unfolded<Op>> {
  explicit UnfoldedModel(Dialect *dialect) : RegisteredOperationName::Model<Unfolded<Op>>(dialect) {
    this->typeID = TypeID::get<Op>();
  }
};

bool rounds(StringRef mnemonic) {
  auto op = opFromMnemonic({mnemonic.data(), mnemonic.size()});
  return op && info(*op).tolerance == Tolerance::Ulp;
}

template <class Op> void add(MathFunctions &dialect) {
  if (rounds(Op::getOperationName()))
    RegisteredOperationName::insert(std::make_unique<UnfoldedModel<Op>>(&dialect), Op::getAttributeNames());
  else
    RegisteredOperationName::insert<Op>(dialect);
}
template <class... Ops> void addAll(MathFunctions &dialect) { (add<Ops>(dialect), ...); }

struct AlwaysInlined : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};
} // namespace

MathFunctions::MathFunctions(MLIRContext *context)
    : Dialect(getDialectNamespace(), context, TypeID::get<MathFunctions>()) {
  context->loadDialect<arith::ArithDialect>();
  addAll<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
      >(*this);
  addInterfaces<AlwaysInlined>();
}

Operation *MathFunctions::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  if (auto poison = dyn_cast<ub::PoisonAttr>(value))
    return builder.create<ub::PoisonOp>(loc, type, poison);
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

} // namespace trisect::tt
