//===- StageOperands.cpp - operands of products go to shared memory -------------------------------------===//
#include "backends/gpu/passes/StageOperands.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/SharedMemory.h"
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
} // namespace

void stageOperands(tt::FuncOp kernel) {
  SmallVector<tt::DotOp> dots;
  kernel.walk([&](tt::DotOp dot) { dots.push_back(dot); });
  for (tt::DotOp dot : dots) {
    OpBuilder builder(dot);
    Value a = stage(builder, dot.getLoc(), dot.getA());
    Value b = dot.getB() == dot.getA() ? a : stage(builder, dot.getLoc(), dot.getB());
    auto staged = builder.create<DotOp>(dot.getLoc(), dot.getType(), a, b, dot.getC(), pathOfDot(dot),
                                        dot.getInputPrecision(), dot.getMaxNumImpreciseAcc());
    dot.getResult().replaceAllUsesWith(staged.getD());
    dot.erase();
  }
}

} // namespace trisect::gpu
