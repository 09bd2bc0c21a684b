//===- Scratch.cpp - shared memory that an operation uses while it runs ---------------------------------===//
#include "backends/gpu/passes/Scratch.h"
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/layouts/Conversion.h"
#include "core/ir/TypeUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include <algorithm>

using namespace mlir;

namespace trisect::gpu {

namespace {
/// A scalar that one thread gets and all need; 64 bits hold any.
constexpr int64_t kScalarBytes = 8;

int64_t bytesOfBlock(Type tensor) { return tt::numElementsOf(tensor) * sharedBytesOf(tt::elementOf(tensor)); }

int64_t ofConvert(ConvertOp convert) {
  Type from = convert.getSrc().getType();
  Conversion plan = conversion(*layoutOf(from), *layoutOf(convert.getType()), tt::elementBits(from));
  auto *shared = std::get_if<SharedPlan>(&plan);
  return shared ? shared->bytes : 0;
}

/// Parts of a line along the axis that different warps hold: each warp's sum of its part meets the others'.
int64_t partsAlong(const Layout &layout, unsigned axis) {
  int64_t parts = 1;
  uint32_t copies = layout.freeBits(Bits::Warp);
  for (unsigned bit = 0; bit < layout.bits(Bits::Warp); ++bit)
    if (!(copies >> bit & 1) && layout.basis(Bits::Warp, bit)[axis])
      parts *= 2;
  return parts;
}

int64_t ofReduce(tt::ReduceOp reduce) {
  unsigned axis = reduce.getAxis();
  const Layout &layout = *layoutOf(reduce.getSrcs().front().getType());
  int64_t parts = partsAlong(layout, axis), bytes = 0;
  if (parts == 1)
    return 0;
  for (Value operand : reduce.getSrcs()) {
    int64_t element = sharedBytesOf(tt::elementOf(operand.getType()));
    int64_t lines = tt::numElementsOf(operand.getType()) / layout.shape()[axis];
    // The parts of a line are read in vectors.
    int64_t alignment = std::max(element, std::min<int64_t>(16, parts * element));
    bytes = static_cast<int64_t>(llvm::alignTo(bytes, alignment)) + lines * parts * element;
  }
  return bytes;
}

/// The sums of each lane of each warp, for every operand.
int64_t ofScan(tt::ScanOp scan) {
  const Layout &layout = *layoutOf(scan.getSrcs().front().getType());
  if (partsAlong(layout, scan.getAxis()) == 1)
    return 0;
  int64_t threads = int64_t(1) << (layout.bits(Bits::Lane) + layout.bits(Bits::Warp));
  return threads * kScalarBytes * static_cast<int64_t>(scan.getSrcs().size());
}

int64_t ofAtomic(Operation *op) {
  Value result = op->getResult(0);
  if (result.use_empty())
    return 0;
  const Layout *layout = layoutOf(result.getType());
  if (!layout)
    return kScalarBytes;
  bool copies = layout->freeBits(Bits::Lane) || layout->freeBits(Bits::Warp);
  return copies ? bytesOfBlock(result.getType()) : 0;
}
} // namespace

int64_t scratchBytes(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](ConvertOp convert) { return ofConvert(convert); })
      .Case([](tt::ReduceOp reduce) { return ofReduce(reduce); })
      .Case([](tt::ScanOp scan) { return ofScan(scan); })
      .Case([](tt::GatherOp gather) { return bytesOfBlock(gather.getSrc().getType()); })
      .Case([](tt::HistogramOp histogram) { return bytesOfBlock(histogram.getType()); })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicPollOp>(
          [](auto atomic) { return ofAtomic(atomic); })
      .Default([](Operation *) { return int64_t(0); });
}

} // namespace trisect::gpu
