//===- Code.cpp - short names for building code ---------------------------------------------------------===//
#include "backends/cpu/emit/Code.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

Type elementOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getElementType();
  return type;
}

Type vectorOf(Type element, unsigned lanes) {
  return lanes == 1 ? element : Type(VectorType::get({static_cast<int64_t>(lanes)}, element));
}

unsigned lanesOf(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements();
  return 1;
}

Type withElement(Type like, Type element) { return vectorOf(element, lanesOf(like)); }

std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (value && matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

namespace {
Value splatConstant(Code &code, Type type, Attribute element) {
  TypedAttr attribute = cast<TypedAttr>(element);
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, element);
  return code.constant(attribute);
}
} // namespace

Value Code::constant(TypedAttr value) {
  Operation *function = shared ? b.getInsertionBlock()->getParentOp() : nullptr;
  while (function && !isa<LLVM::LLVMFuncOp>(function))
    function = function->getParentOp();
  if (!function) // or in a region that is not yet part of one
    return b.create<arith::ConstantOp>(loc, value);
  Value &known = (*shared)[{function, value}];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function->getRegion(0).front());
    known = b.create<arith::ConstantOp>(function->getLoc(), value);
  }
  return known;
}

bool Code::isConstant(Value value) { return value.getDefiningOp<arith::ConstantOp>() != nullptr; }

Value Code::afterFold(Value made, Operation *last) {
  auto op = made.getDefiningOp<arith::ConstantOp>();
  if (!shared || !op || op->getBlock() != b.getInsertionBlock() || op->getPrevNode() != last ||
      !op->use_empty())
    return made;
  TypedAttr value = op.getValue();
  op.erase();
  return constant(value);
}

Value Code::integer(Type type, int64_t value) {
  auto element = cast<IntegerType>(elementOf(type));
  return splatConstant(*this, type, IntegerAttr::get(element, APInt(element.getWidth(), value, true)));
}

Value Code::real(Type type, double value) {
  return splatConstant(*this, type, FloatAttr::get(elementOf(type), value));
}

Value Code::realBits(Type type, uint64_t bits) {
  auto element = cast<FloatType>(elementOf(type));
  APFloat value(element.getFloatSemantics(), APInt(element.getWidth(), bits));
  return splatConstant(*this, type, FloatAttr::get(element, value));
}

Value Code::zero(Type type) { return splatConstant(*this, type, b.getZeroAttr(elementOf(type))); }

Value Code::fma(Value a, Value x, Value c) { return b.create<math::FmaOp>(loc, a, x, c); }

Value Code::cmp(arith::CmpIPredicate predicate, Value a, Value c) {
  return fold<arith::CmpIOp>(predicate, a, c);
}

Value Code::cmp(arith::CmpFPredicate predicate, Value a, Value c) {
  return fold<arith::CmpFOp>(predicate, a, c);
}

Value Code::select(Value condition, Value a, Value c) { return fold<arith::SelectOp>(condition, a, c); }

Value Code::bits(Value value, Type element) {
  Type type = withElement(value.getType(), element);
  return type == value.getType() ? value : fold<arith::BitcastOp>(type, value);
}

Value Code::zext(Value value, Type element) {
  Type type = withElement(value.getType(), element);
  return type == value.getType() ? value : fold<arith::ExtUIOp>(type, value);
}

Value Code::sext(Value value, Type element) {
  Type type = withElement(value.getType(), element);
  return type == value.getType() ? value : fold<arith::ExtSIOp>(type, value);
}

Value Code::trunc(Value value, Type element) {
  Type type = withElement(value.getType(), element);
  return type == value.getType() ? value : fold<arith::TruncIOp>(type, value);
}

Value Code::resize(Value value, Type element) {
  unsigned from = elementOf(value.getType()).getIntOrFloatBitWidth(), to = element.getIntOrFloatBitWidth();
  return from < to ? sext(value, element) : trunc(value, element);
}

Value Code::splat(Value scalar, unsigned lanes) {
  if (lanes == 1)
    return scalar;
  Type type = vectorOf(scalar.getType(), lanes);
  Attribute attribute;
  if (matchPattern(scalar, m_Constant(&attribute)))
    return splatConstant(*this, type, attribute);
  return b.create<vector::SplatOp>(loc, type, scalar);
}

Value Code::iota(Type element, unsigned lanes) {
  if (lanes == 1)
    return zero(element);
  unsigned width = cast<IntegerType>(element).getWidth();
  SmallVector<APInt> values;
  for (unsigned i = 0; i < lanes; ++i)
    values.push_back(APInt(width, i));
  auto type = cast<VectorType>(vectorOf(element, lanes));
  return constant(DenseElementsAttr::get(type, values));
}

Value Code::lane(Value vector, unsigned index) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  return fold<vector::ExtractOp>(vector, static_cast<int64_t>(index));
}

Value Code::half(Value vector, bool upper) {
  unsigned lanes = lanesOf(vector.getType()) / 2;
  if (lanes == 1)
    return lane(vector, upper);
  SmallVector<int64_t> mask;
  for (unsigned i = 0; i < lanes; ++i)
    mask.push_back(i + (upper ? lanes : 0));
  return b.create<vector::ShuffleOp>(loc, vector, vector, mask);
}

Value Code::whole(Value lower, Value upper) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, 2 * int64_t(lanesOf(lower.getType()))));
  return b.create<vector::ShuffleOp>(loc, lower, upper, order);
}

Value Code::pointer(Value address) {
  Type type = LLVM::LLVMPointerType::get(b.getContext());
  if (unsigned lanes = lanesOf(address.getType()); lanes > 1)
    type = LLVM::LLVMFixedVectorType::get(type, lanes);
  return b.create<LLVM::IntToPtrOp>(loc, type, address);
}

void Code::prefetch(Value address, unsigned cache) {
  constexpr unsigned nearest = 3; // of LLVM's degrees of locality
  b.create<LLVM::Prefetch>(loc, pointer(address), /*rw=*/0, /*hint=*/nearest + 1 - cache, /*cache=*/1);
}

Value Code::allTrue(Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  unsigned lanes = lanesOf(condition.getType());
  Type integerType = b.getIntegerType(lanes);
  Value mask = b.create<LLVM::BitcastOp>(loc, integerType, condition);
  return cmp(arith::CmpIPredicate::eq, mask, integer(integerType, -1));
}

Value Code::anyTrue(Value condition) {
  if (!isa<VectorType>(condition.getType()))
    return condition;
  Type integerType = b.getIntegerType(lanesOf(condition.getType()));
  Value mask = b.create<LLVM::BitcastOp>(loc, integerType, condition);
  return cmp(arith::CmpIPredicate::ne, mask, integer(integerType, 0));
}

bool Code::isWide(Type type) const {
  return machine && machine->vectorBytes == 64 && elementOf(type).isF32() && lanesOf(type) % 16 == 0;
}

Value Code::intrinsic(llvm::StringRef name, Type result, ValueRange operands) {
  return b
      .create<LLVM::CallIntrinsicOp>(loc, result, b.getStringAttr(name), operands, LLVM::FastmathFlagsAttr())
      .getResult(0);
}

} // namespace trisect::cpu
