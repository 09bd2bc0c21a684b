//===- StageOperands.cpp - operands of products go to shared memory -------------------------------------===//
#include "backends/gpu/passes/StageOperands.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/Conversion.h"
#include "backends/gpu/layouts/SharedMemory.h"
#include "backends/gpu/layouts/TensorCore.h"
#include "backends/gpu/passes/Anchors.h"
#include "core/ir/TypeUtils.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
/// The dimensions of a block, that of the first register first.
std::vector<int32_t> fastestFirst(const Layout &layout) {
  auto rank = static_cast<int32_t>(layout.rank());
  int32_t fastest = rank - 1;
  if (layout.bits(Bits::Register)) {
    Coordinates step = layout.basis(Bits::Register, 0);
    for (int32_t dim = 0; dim < rank; ++dim)
      if (step[dim] == 1)
        fastest = dim;
  }
  std::vector<int32_t> order = {fastest};
  for (int32_t dim = rank; dim-- > 0;)
    if (dim != fastest)
      order.push_back(dim);
  return order;
}

Layout bufferLayout(Type tensor) {
  std::vector<int32_t> shape = shapeOfLayout(tensor);
  std::vector<int32_t> order = fastestFirst(*layoutOf(tensor));
  auto bits = static_cast<int32_t>(8 * sharedBytesOf(tt::elementOf(tensor)));
  int32_t swizzle = shape.size() == 2 ? widestSwizzle(shape[order[0]], bits) : 0;
  return swizzle ? swizzledShared(shape, order, bits, swizzle) : plainShared(shape, order);
}

Value stage(OpBuilder &builder, Location location, Value operand) {
  auto type =
      BufferType::get(operand.getContext(), withLayout(operand.getType(), bufferLayout(operand.getType())));
  Value buffer = builder.create<BufferOp>(location, type, IntegerAttr());
  builder.create<BufferStoreOp>(location, operand, buffer);
  return buffer;
}

/// Whether a thread of the product's warps holds the operand's elements that it needs.
bool isInPlace(tt::DotOp dot, MmaRole role, Value operand) {
  const Layout &accumulator = *layoutOf(dot.getType());
  std::optional<WarpGrid> warps = warpsOf(accumulator, operandBits(dot));
  return warps && renaming(*layoutOf(operand.getType()),
                           mma(role, shapeOfLayout(operand.getType()), operandBits(dot), *warps));
}

void stageProduct(tt::DotOp dot) {
  OpBuilder builder(dot);
  llvm::StringRef path = pathOfDot(dot);
  Value a = dot.getA(), b = dot.getB();
  if (path != "fma") {
    if (!isInPlace(dot, MmaRole::A, a))
      a = stage(builder, dot.getLoc(), a);
    if (b == dot.getA() && isa<BufferType>(a.getType()))
      b = a;
    else if (!isInPlace(dot, MmaRole::B, b))
      b = stage(builder, dot.getLoc(), b);
  }
  auto staged = builder.create<DotOp>(dot.getLoc(), dot.getType(), a, b, dot.getC(), path,
                                      dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
  dot.getResult().replaceAllUsesWith(staged.getD());
  dot.erase();
}
} // namespace

void stageOperands(tt::FuncOp kernel) {
  SmallVector<tt::DotOp> dots;
  kernel.walk([&](tt::DotOp dot) { dots.push_back(dot); });
  llvm::for_each(dots, stageProduct);
}

} // namespace trisect::gpu
