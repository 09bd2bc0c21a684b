//===- DotOps.cpp - text and rules of the matrix products -----------------------------------------------===//
//
// What: tt.dot and tt.dot_scaled.
// Limits: tt.dot_scaled reads two texts: operands with `scale` keywords, and the older `a, a_scale, b, c`.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/ArithOps.h"
#include "core/ir/TypeUtils.h"
#include "core/ir/Verify.h"

using namespace mlir;

namespace trisect::tt {

//===----------------------------------------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------------------------------------===//

/// Rank 2, or 3 with a batch, the same for all three.
static LogicalResult verifyRanks(Operation *op, ArrayRef<int64_t> a, ArrayRef<int64_t> b,
                                 ArrayRef<int64_t> d) {
  if ((a.size() == 2 || a.size() == 3) && a.size() == b.size() && a.size() == d.size())
    return success();
  return op->emitOpError() << "expected a, b and result all of rank 2 or all of rank 3, but found shapes "
                           << shapeText(a) << ", " << shapeText(b) << " and " << shapeText(d);
}

/// [batch, M, K] * [batch, K, N] -> [batch, M, N], with `kA` and `kB` elements along K.
static LogicalResult verifyProduct(Operation *op, ArrayRef<int64_t> a, int64_t kA, ArrayRef<int64_t> b,
                                   int64_t kB, ArrayRef<int64_t> d) {
  if (kA != kB)
    return op->emitOpError() << "expected as many columns in a as rows in b, but found " << kA << " and "
                             << kB;
  SmallVector<int64_t> expected(a.drop_back());
  expected.push_back(b.back());
  if (a.drop_back(2) != b.drop_back(2))
    return op->emitOpError() << "expected a and b of one batch size, but found " << a.front() << " and "
                             << b.front();
  if (d != ArrayRef<int64_t>(expected))
    return op->emitOpError() << "expected a result of shape " << shapeText(expected) << ", but found "
                             << shapeText(d);
  return success();
}

//===----------------------------------------------------------------------------------------------------===//
// tt.dot
//===----------------------------------------------------------------------------------------------------===//

/// True if products of such elements may be summed in `d`.
static bool isDotAccumulator(Type a, Type b, Type d) {
  if (a.isSignlessInteger(8))
    return b == a && d.isSignlessInteger(32);
  if (isFloat8Element(a))
    return isFloat8Element(b) && (d.isF16() || d.isF32());
  if (a != b || !isFloatElement(a))
    return false;
  if (a.isF16())
    return d.isF16() || d.isF32();
  if (a.isBF16() || a.isF32())
    return d.isF32();
  return d.isF64();
}

LogicalResult DotOp::verify() {
  Type a = getA().getType(), b = getB().getType(), d = getType();
  if (failed(expectType(*this, "accumulator c", getC().getType(), d)))
    return failure();
  ArrayRef<int64_t> shapeA = shapeOf(a), shapeB = shapeOf(b), shapeD = shapeOf(d);
  if (failed(verifyRanks(*this, shapeA, shapeB, shapeD)) ||
      failed(verifyProduct(*this, shapeA, shapeA.back(), shapeB, shapeB[shapeB.size() - 2], shapeD)))
    return failure();
  if (!isDotAccumulator(elementOf(a), elementOf(b), elementOf(d)))
    return emitOpError()
           << "expected element types i8 * i8 -> i32, fp8 * fp8 -> f16 or f32, f16 * f16 -> f16 or f32, "
              "bf16 * bf16 -> f32, f32 * f32 -> f32 or f64 * f64 -> f64, but found "
           << elementOf(a) << " * " << elementOf(b) << " -> " << elementOf(d);
  if (getMaxNumImpreciseAcc() < 0)
    return emitOpError() << "expected maxNumImpreciseAcc of at least 0, but found "
                         << getMaxNumImpreciseAcc();
  return success();
}

//===----------------------------------------------------------------------------------------------------===//
// tt.dot_scaled
//===----------------------------------------------------------------------------------------------------===//

/// The type that carries elements of a format; i8 for formats below 8 bits.
static Type carrierOf(ScaledFormat format, MLIRContext *context) {
  switch (format) {
  case ScaledFormat::E4M3:
    return Float8E4M3FNType::get(context);
  case ScaledFormat::E5M2:
    return Float8E5M2Type::get(context);
  case ScaledFormat::BF16:
    return BFloat16Type::get(context);
  case ScaledFormat::FP16:
    return Float16Type::get(context);
  case ScaledFormat::E2M3:
  case ScaledFormat::E3M2:
  case ScaledFormat::E2M1:
    return IntegerType::get(context, 8);
  }
  return Type();
}

namespace {
/// One factor with its scale.
struct Factor {
  StringRef name;
  Value block, scale;
  ScaledFormat format;
  bool kPack;
  /// Dimensions of the block: along K, and the other one.
  size_t kDim, outerDim;

  bool packed() const { return format == ScaledFormat::E2M1; }
  ArrayRef<int64_t> shape() const { return shapeOf(block.getType()); }
  int64_t kSize() const { return shape()[kDim] * (packed() && kPack ? 2 : 1); }
  int64_t outerSize() const { return shape()[outerDim] * (packed() && !kPack ? 2 : 1); }
};
} // namespace

/// Scales are [batch, outer, K / group] of i8 (group 32 or 16) or fp8 (group 16).
static LogicalResult verifyScale(Operation *op, const Factor &factor) {
  if (!factor.scale)
    return success();
  Type type = factor.scale.getType();
  ArrayRef<int64_t> shape = shapeOf(type);
  if (!elementOf(type).isSignlessInteger(8) && !isFloat8Element(elementOf(type)))
    return op->emitOpError() << "expected a scale of " << factor.name << " of i8 or fp8, but found " << type;
  for (int64_t group : {32, 16}) {
    SmallVector<int64_t> expected(factor.shape().drop_back(2));
    expected.append({factor.outerSize(), factor.kSize() / group});
    if (shape == ArrayRef<int64_t>(expected))
      return success();
  }
  return op->emitOpError() << "expected a scale of " << factor.name << " for every 16 or 32 of its "
                           << factor.kSize() << " elements along K in each of " << factor.outerSize()
                           << " lines, but found " << type;
}

static LogicalResult verifyFactor(Operation *op, const Factor &factor) {
  Type carrier = carrierOf(factor.format, op->getContext());
  Type element = elementOf(factor.block.getType());
  if (element != carrier)
    return op->emitOpError() << "expected " << factor.name << " of " << carrier << ", since its format is "
                             << stringifyScaledFormat(factor.format) << ", but found "
                             << factor.block.getType();
  if (!factor.packed() && !factor.kPack)
    return op->emitOpError() << "expected " << factor.name << " packed along K, since its format is "
                             << stringifyScaledFormat(factor.format)
                             << " and only e2m1 is packed, but found k_pack = false";
  return verifyScale(op, factor);
}

LogicalResult DotScaledOp::verify() {
  Type d = getType();
  if (failed(expectType(*this, "accumulator c", getC().getType(), d)))
    return failure();
  ArrayRef<int64_t> shapeA = shapeOf(getA().getType()), shapeB = shapeOf(getB().getType()),
                    shapeD = shapeOf(d);
  if (failed(verifyRanks(*this, shapeA, shapeB, shapeD)))
    return failure();
  size_t rank = shapeD.size();
  Factor a{"a", getA(), getAScale(), getAElemType(), getLhsKPack(), rank - 1, rank - 2};
  Factor b{"b", getB(), getBScale(), getBElemType(), getRhsKPack(), rank - 2, rank - 1};
  if (failed(verifyFactor(*this, a)) || failed(verifyFactor(*this, b)))
    return failure();
  SmallVector<int64_t> logicalA(shapeA), logicalB(shapeB);
  logicalA[a.outerDim] = a.outerSize();
  logicalB[b.outerDim] = b.outerSize();
  return verifyProduct(*this, logicalA, a.kSize(), logicalB, b.kSize(), shapeD);
}

//===----------------------------------------------------------------------------------------------------===//
// Text of tt.dot_scaled
//===----------------------------------------------------------------------------------------------------===//

namespace {
using Operand = OpAsmParser::UnresolvedOperand;
struct ScaledOperands {
  Operand a, b, c;
  std::optional<Operand> aScale, bScale;
};
} // namespace

static ParseResult parseOptionalScale(OpAsmParser &parser, std::optional<Operand> &scale) {
  if (failed(parser.parseOptionalKeyword("scale")))
    return success();
  return parser.parseOperand(scale.emplace());
}

/// `a scale sa, b scale sb, c`, or `a, sa, b, c` of older text: a fourth operand tells.
static ParseResult parseScaledOperands(OpAsmParser &parser, ScaledOperands &operands) {
  if (parser.parseOperand(operands.a) || parseOptionalScale(parser, operands.aScale) || parser.parseComma() ||
      parser.parseOperand(operands.b) || parseOptionalScale(parser, operands.bScale) || parser.parseComma() ||
      parser.parseOperand(operands.c))
    return failure();
  SMLoc fourthAt = parser.getCurrentLocation();
  if (failed(parser.parseOptionalComma()))
    return success();
  if (operands.aScale || operands.bScale)
    return parser.emitError(fourthAt) << "expected three operands, since scales are named by 'scale'";
  operands.aScale = operands.b;
  operands.b = operands.c;
  return parser.parseOperand(operands.c);
}

static ParseResult parseFormat(OpAsmParser &parser, StringRef word, StringRef attribute,
                               OperationState &result) {
  StringRef name;
  if (parser.parseKeyword(word) || parser.parseEqual())
    return failure();
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<ScaledFormat> format = symbolizeScaledFormat(name);
  if (!format)
    return parser.emitError(where)
           << "expected one of the formats e4m3, e5m2, e2m3, e3m2, e2m1, bf16, fp16, but found " << name;
  result.addAttribute(attribute, ScaledFormatAttr::get(parser.getContext(), *format));
  return success();
}

/// The type of a factor, and after a comma that of its scale.
static ParseResult parseFactorTypes(OpAsmParser &parser, Type &type, bool scaled, Type &scaleType) {
  if (parser.parseType(type))
    return failure();
  return scaled ? ParseResult(failure(parser.parseComma() || parser.parseType(scaleType)))
                : ParseResult(success());
}

ParseResult DotScaledOp::parse(OpAsmParser &parser, OperationState &result) {
  ScaledOperands in;
  Type a, b, d, aScale, bScale;
  if (parseScaledOperands(parser, in) || parseFormat(parser, "lhs", "a_elem_type", result) ||
      parseFormat(parser, "rhs", "b_elem_type", result) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColon() || parseFactorTypes(parser, a, in.aScale.has_value(), aScale) ||
      parser.parseStar() || parseFactorTypes(parser, b, in.bScale.has_value(), bScale) ||
      parser.parseArrow() || parser.parseType(d))
    return failure();
  if (parser.resolveOperand(in.a, a, result.operands) || parser.resolveOperand(in.b, b, result.operands) ||
      parser.resolveOperand(in.c, d, result.operands) ||
      (in.aScale && parser.resolveOperand(*in.aScale, aScale, result.operands)) ||
      (in.bScale && parser.resolveOperand(*in.bScale, bScale, result.operands)))
    return failure();
  Builder &builder = parser.getBuilder();
  if (!result.attributes.get("fastMath"))
    result.addAttribute("fastMath", builder.getBoolAttr(false));
  result.addAttribute(getOperandSegmentSizeAttr(),
                      builder.getDenseI32ArrayAttr({1, 1, 1, in.aScale.has_value(), in.bScale.has_value()}));
  result.addTypes(d);
  return success();
}

void DotScaledOp::print(OpAsmPrinter &printer) {
  auto printFactor = [&](Value block, Value scale) {
    printer << block;
    if (scale)
      printer << " scale " << scale;
    printer << ", ";
  };
  auto printTypes = [&](Value block, Value scale) {
    printer << block.getType();
    if (scale)
      printer << ", " << scale.getType();
  };
  printer << " ";
  printFactor(getA(), getAScale());
  printFactor(getB(), getBScale());
  printer << getC() << " lhs = " << stringifyScaledFormat(getAElemType())
          << " rhs = " << stringifyScaledFormat(getBElemType());
  SmallVector<StringRef> shown = {"a_elem_type", "b_elem_type", getOperandSegmentSizeAttr()};
  if (getLhsKPack())
    shown.push_back("lhs_k_pack");
  if (getRhsKPack())
    shown.push_back("rhs_k_pack");
  printer.printOptionalAttrDict((*this)->getAttrs(), shown);
  printer << " : ";
  printTypes(getA(), getAScale());
  printer << " * ";
  printTypes(getB(), getBScale());
  printer << " -> " << getType();
}

} // namespace trisect::tt
