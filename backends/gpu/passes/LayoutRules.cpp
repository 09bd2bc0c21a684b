//===- LayoutRules.cpp - how an operation ties the layouts of its tensors -------------------------------===//
#include "backends/gpu/passes/LayoutRules.h"
#include "backends/gpu/ir/TileDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace trisect::gpu {

namespace {
using Found = std::optional<Layout>;

bool isTensor(Type type) { return isa<RankedTensorType>(type); }

std::vector<int32_t> inverseOf(ArrayRef<int32_t> order) {
  std::vector<int32_t> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = static_cast<int32_t>(to);
  return inverse;
}

/// The layout of a cat: the operand's, with a last register bit for its half.
Layout catLayout(const Layout &half) {
  int32_t size = half.shape()[0];
  Layout whole = half.withoutFreeRegisters().reshaped({2 * size});
  whole.append(Bits::Register, static_cast<uint32_t>(size));
  return whole;
}

/// The layout of a half, if the whole's last register bit tells the halves apart and nothing else does.
Found halfOfCat(const Layout &whole) {
  int32_t size = whole.shape()[0] / 2;
  Layout half = Layout::empty({size});
  for (Bits kind : kAllBits)
    for (unsigned bit = 0; bit < whole.bits(kind); ++bit) {
      uint32_t element = whole.flat(kind, bit);
      if (kind == Bits::Register && bit + 1 == whole.bits(kind)) {
        if (element != static_cast<uint32_t>(size))
          return std::nullopt;
        continue;
      }
      if (element >= static_cast<uint32_t>(size))
        return std::nullopt;
      half.append(kind, element);
    }
  return catLayout(half) == whole ? Found(half) : std::nullopt;
}

Found halfOfJoin(const Layout &whole) {
  Layout half = whole.split();
  return half.joined() == whole ? Found(half) : std::nullopt;
}

std::vector<int32_t> shapeOfOperand(Operation *op) { return shapeOfLayout(op->getOperand(0).getType()); }
std::vector<int32_t> shapeOfResult(Operation *op) { return shapeOfLayout(op->getResult(0).getType()); }

/// Ops whose tensors need not agree.
bool isLoose(Operation *op) {
  return isa<tt::ReduceOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp, tt::TransOp, tt::JoinOp,
             tt::SplitOp, tt::CatOp, tt::PrintOp, tt::UnsplatOp, ConvertOp, BufferStoreOp, BufferLoadOp>(
             op) ||
         op->hasTrait<OpTrait::IsTerminator>() || isa<RegionBranchOpInterface, CallOpInterface>(op);
}
} // namespace

SharedTensors sharedTensors(Operation *op) {
  SharedTensors shared;
  if (isLoose(op))
    return shared;
  auto operandsFrom = [&](unsigned first, unsigned last = ~0U) {
    for (unsigned index = first; index < std::min(last, op->getNumOperands()); ++index)
      if (isTensor(op->getOperand(index).getType()))
        shared.operands.push_back(index);
  };
  // Indices follow the result of a gather, masks the operand of a histogram, accumulators the result of a
  // dot.
  if (isa<tt::GatherOp>(op))
    operandsFrom(1);
  else if (isa<tt::DotOp, DotOp>(op))
    operandsFrom(2);
  else if (isa<tt::DotScaledOp>(op))
    operandsFrom(2, 3);
  else
    operandsFrom(0);
  if (!isa<tt::HistogramOp>(op))
    for (OpResult result : op->getResults())
      if (isTensor(result.getType()))
        shared.results.push_back(result.getResultNumber());
  return shared;
}

bool forcesResult(Operation *op) { return isa<tt::ReduceOp, tt::JoinOp, tt::SplitOp, tt::CatOp>(op); }

Found resultLayout(Operation *op, unsigned operand, const Layout &layout) {
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([&](tt::ReduceOp reduce) -> Found { return layout.sliced(reduce.getAxis()); })
      .Case([&](tt::ExpandDimsOp expand) -> Found { return layout.expanded(expand.getAxis()); })
      .Case([&](tt::ReshapeOp) -> Found { return layout.reshaped(shapeOfResult(op)); })
      .Case([&](tt::TransOp trans) -> Found {
        return layout.transposed(std::span(trans.getOrder().data(), trans.getOrder().size()));
      })
      .Case([&](tt::BroadcastOp) -> Found { return layout.broadcast(shapeOfResult(op)); })
      .Case([&](tt::JoinOp) -> Found { return layout.joined(); })
      .Case([&](tt::SplitOp) -> Found { return halfOfJoin(layout); })
      .Case([&](tt::CatOp) -> Found { return catLayout(layout); })
      .Default([](Operation *) -> Found { return std::nullopt; });
}

Found operandLayout(Operation *op, unsigned operand, const Layout &result) {
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([&](tt::ExpandDimsOp) -> Found { return result.reshaped(shapeOfOperand(op)); })
      .Case([&](tt::ReshapeOp) -> Found { return result.reshaped(shapeOfOperand(op)); })
      .Case([&](tt::TransOp trans) -> Found { return result.transposed(inverseOf(trans.getOrder())); })
      .Case([&](tt::BroadcastOp) -> Found { return result.projected(shapeOfOperand(op)); })
      .Case([&](tt::JoinOp) -> Found { return halfOfJoin(result); })
      .Case([&](tt::SplitOp) -> Found { return result.joined(); })
      .Case([&](tt::CatOp) -> Found { return halfOfCat(result); })
      .Default([](Operation *) -> Found { return std::nullopt; });
}

unsigned packOf(Operation *op) {
  if (auto assembly = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    return static_cast<unsigned>(assembly.getPackedElement());
  if (auto map = dyn_cast<tt::MapElementwiseOp>(op))
    return static_cast<unsigned>(map.getPack());
  return 1;
}

bool holdsPacks(const Layout &layout, unsigned pack) {
  for (unsigned bit = 0; (1U << bit) < pack; ++bit)
    if (bit >= layout.bits(Bits::Register) || layout.flat(Bits::Register, bit) != 1U << bit)
      return false;
  return true;
}

} // namespace trisect::gpu
