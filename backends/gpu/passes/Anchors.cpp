//===- Anchors.cpp - layouts that operations ask for ----------------------------------------------------===//
#include "backends/gpu/passes/Anchors.h"
#include "backends/gpu/layouts/TensorCore.h"
#include "core/analysis/AxisAnalysis.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include <map>

using namespace mlir;

namespace trisect::gpu {

namespace {
constexpr int64_t kAccessBytes = 16;
/// An access of fewer elements than this part of the largest is weak.
constexpr int64_t kWeakPart = 4;

Value pointerOf(Operation *op) {
  if (!isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::AtomicLoadOp, tt::AtomicStoreOp,
           tt::AtomicPollOp>(op))
    return {};
  Value pointer = op->getOperand(0);
  return isa<RankedTensorType>(pointer.getType()) ? pointer : Value();
}

Value maskOf(Operation *op) {
  if (auto load = dyn_cast<tt::LoadOp>(op))
    return load.getMask();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    return store.getMask();
  return {};
}

std::vector<int32_t> rowMajor(size_t rank) {
  std::vector<int32_t> order;
  for (size_t dim = rank; dim-- > 0;)
    order.push_back(static_cast<int32_t>(dim));
  return order;
}

/// Dimensions by how far neighbours in memory reach, the last first among equals.
std::vector<int32_t> orderOf(const tt::AxisInfo &facts, size_t rank) {
  std::vector<int32_t> order = rowMajor(rank);
  std::sort(order.begin(), order.end(), [&](int32_t lhs, int32_t rhs) {
    return std::pair(facts.contiguity(lhs), lhs) > std::pair(facts.contiguity(rhs), rhs);
  });
  return order;
}

} // namespace

int64_t accessVector(const tt::AxisInfo &pointer, const tt::AxisInfo *mask, size_t axis, int64_t bytes) {
  int64_t aligned = std::max<int64_t>(pointer.divisibility(axis) / std::max<int64_t>(bytes, 1), 1);
  int64_t vector = std::min({pointer.contiguity(axis), aligned, kAccessBytes / std::max<int64_t>(bytes, 1)});
  if (mask)
    vector = std::min(vector, mask->constancy(axis));
  return std::max<int64_t>(vector, 1);
}

namespace {
struct Access {
  Operation *op;
  Type tensor;
  std::vector<int32_t> order;
  int64_t vector;
};

std::vector<Access> findAccesses(tt::FuncOp function) {
  std::vector<Access> accesses;
  std::optional<tt::AxisFacts> facts;
  function.walk([&](Operation *op) {
    Value pointer = pointerOf(op);
    if (!pointer)
      return;
    if (!facts)
      facts.emplace(function);
    Type tensor = pointer.getType();
    size_t rank = tt::shapeOf(tensor).size();
    tt::AxisInfo pointerFacts = facts->of(pointer);
    std::optional<tt::AxisInfo> maskFacts;
    if (Value mask = maskOf(op); mask && isa<RankedTensorType>(mask.getType()))
      maskFacts = facts->of(mask);
    Access access{op, tensor, rowMajor(rank), 1};
    if (rank > 0) {
      access.order = orderOf(pointerFacts, rank);
      access.vector = accessVector(pointerFacts, maskFacts ? &*maskFacts : nullptr, access.order[0],
                                   sharedBytesOf(tt::elementOf(tt::pointeeOf(tensor))));
    }
    accesses.push_back(std::move(access));
  });
  return accesses;
}

/// At most so many elements that every thread gets some.
int32_t limited(int64_t vector, Type tensor, Threads threads) {
  int64_t each = std::max<int64_t>(tt::numElementsOf(tensor) / (int64_t(threads.warps) * threads.lanes), 1);
  return static_cast<int32_t>(std::min(vector, each));
}

void addAccesses(tt::FuncOp function, Threads threads, std::vector<Anchor> &anchors) {
  std::vector<Access> accesses = findAccesses(function);
  std::map<std::pair<std::vector<int32_t>, std::vector<int32_t>>, int64_t> widest;
  int64_t largest = 0;
  for (const Access &access : accesses) {
    int64_t &vector = widest[{shapeOfLayout(access.tensor), access.order}];
    vector = std::max(vector, access.vector);
    largest = std::max(largest, tt::numElementsOf(access.tensor));
  }
  // Of large blocks first, in the order of the text.
  std::map<int64_t, std::vector<Anchor>, std::greater<>> bySize;
  for (const Access &access : accesses) {
    std::vector<int32_t> shape = shapeOfLayout(access.tensor);
    int32_t vector = limited(widest[{shape, access.order}], access.tensor, threads);
    int64_t elements = tt::numElementsOf(access.tensor);
    bySize[elements].push_back(
        {access.op, coalesced(shape, access.order, vector, threads), elements * kWeakPart <= largest});
  }
  for (auto &[elements, found] : bySize)
    anchors.insert(anchors.end(), found.begin(), found.end());
}

/// True if an operand of the product comes from another product.
bool followsProduct(tt::DotOp dot) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.filter = [](Operation *op) { return !isa<scf::ForOp, scf::WhileOp, scf::IfOp, tt::LoadOp>(op); };
  for (Value operand : {dot.getA(), dot.getB()})
    getBackwardSlice(operand, &slice, options);
  return llvm::any_of(slice, [](Operation *op) { return isa<tt::DotOp>(op); });
}

void addProducts(tt::FuncOp function, Threads threads, std::vector<Anchor> &anchors) {
  SmallVector<tt::DotOp> dots;
  bool chained = false;
  function.walk([&](tt::DotOp dot) {
    dots.push_back(dot);
    chained |= followsProduct(dot);
  });
  for (tt::DotOp dot : dots) {
    std::vector<int32_t> shape = shapeOfLayout(dot.getType());
    if (pathOfDot(dot) == "fma") {
      anchors.push_back(
          {dot, coalesced(shape, rowMajor(shape.size()), limited(4, dot.getType(), threads), threads)});
      continue;
    }
    int32_t bits = operandBits(dot);
    WarpGrid warps = mmaWarps(shape[shape.size() - 2], shape.back(), threads.warps, bits);
    // Every warp keeps whole rows, so that a product's result can be the next one's operand where it is.
    if (chained && shape[shape.size() - 2] >= threads.warps * MmaShape::of(bits).m)
      warps = {threads.warps, 1};
    anchors.push_back({dot, mma(MmaRole::Accumulator, shape, bits, warps)});
  }
}
} // namespace

int32_t operandBits(tt::DotOp dot) {
  Type element = tt::elementOf(dot.getA().getType());
  // 8-bit floats become f16, which holds them exactly.
  return tt::isFloat8Element(element) ? 16 : static_cast<int32_t>(std::max(tt::elementBits(element), 8U));
}

std::vector<Anchor> findAnchors(tt::FuncOp function, Threads threads) {
  std::vector<Anchor> anchors;
  addProducts(function, threads, anchors);
  addAccesses(function, threads, anchors);
  return anchors;
}

Layout defaultLayout(Type tensor, Threads threads) {
  std::vector<int32_t> shape = shapeOfLayout(tensor);
  return coalesced(shape, rowMajor(shape.size()), limited(4, tensor, threads), threads);
}

Layout packedLayout(Type tensor, unsigned pack, Threads threads) {
  std::vector<int32_t> shape = shapeOfLayout(tensor);
  // The pack may reach over several dimensions: seen as a line, it does not.
  std::vector<int32_t> line = {static_cast<int32_t>(tt::numElementsOf(tensor))};
  std::vector<int32_t> only = {0};
  return coalesced(line, only, static_cast<int32_t>(pack), threads).reshaped(shape);
}

llvm::StringRef pathOfDot(tt::DotOp dot) {
  Type a = tt::elementOf(dot.getA().getType()), b = tt::elementOf(dot.getB().getType());
  Type d = tt::elementOf(dot.getType());
  ArrayRef<int64_t> left = tt::shapeOf(dot.getA().getType()), result = tt::shapeOf(dot.getType());
  if (!fitsMma(static_cast<int32_t>(result[result.size() - 2]), static_cast<int32_t>(result.back()),
               static_cast<int32_t>(left.back()), operandBits(dot)))
    return "fma";
  auto both = [&](auto predicate) { return predicate(a) && predicate(b); };
  bool half = a == b && both([](Type type) { return type.isF16() || type.isBF16(); });
  bool byte = both([](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); });
  if ((half || byte) && (d.isF32() || (d.isF16() && (a.isF16() || byte))))
    return "mma";
  if (both([](Type type) { return type.isSignlessInteger(8); }) && d.isSignlessInteger(32))
    return "mma";
  if (both([](Type type) { return type.isF64(); }) && d.isF64())
    return "mma";
  if (both([](Type type) { return type.isF32(); }) && d.isF32() &&
      dot.getInputPrecision() == tt::InputPrecision::Tf32)
    return "mma";
  return "fma";
}

} // namespace trisect::gpu
