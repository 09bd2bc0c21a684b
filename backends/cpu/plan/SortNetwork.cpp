//===- SortNetwork.cpp - chains of steps in which partners are put in order -----------------------------===//
#include "backends/cpu/plan/SortNetwork.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/plan/Exchange.h"
#include "core/ir/Ops.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"
#include <bit>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Fewer steps are as fast among the other operations of a loop.
constexpr size_t fewestSteps = 3;

/// A value of zeros and ones: the sum modulo 2 of bits of its index, plus `base`.
struct BitSum {
  uint64_t bits;
  bool base;
};

std::optional<BitSum> bitSumOf(Value value);

// Dimensions of one have no bits; those that a broadcast makes larger decide nothing.
std::optional<BitSum> throughBroadcast(tt::BroadcastOp op) {
  std::optional<BitSum> from = bitSumOf(op.getSrc());
  if (!from)
    return std::nullopt;
  BitSum sum{0, from->base};
  unsigned inner = 0, outer = 0;
  for (auto [before, after] :
       llvm::reverse(llvm::zip_equal(ttShape(op.getSrc().getType()), ttShape(op.getType())))) {
    unsigned width = llvm::Log2_64(before);
    sum.bits |= ((from->bits >> inner) & llvm::maskTrailingOnes<uint64_t>(width)) << outer;
    inner += width;
    outer += llvm::Log2_64(after);
  }
  return sum;
}

std::optional<BitSum> bitSumOf(Value value) {
  Operation *op = value.getDefiningOp();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)) && number.ule(1))
    return BitSum{0, number.isOne()};
  if (auto range = dyn_cast_or_null<tt::MakeRangeOp>(op))
    return range.getStart() == 0 && range.getEnd() == 2 ? std::optional(BitSum{1, false}) : std::nullopt;
  if (auto broadcast = dyn_cast_or_null<tt::BroadcastOp>(op))
    return throughBroadcast(broadcast);
  if (auto reshape = dyn_cast_or_null<tt::ReshapeOp>(op))
    return bitSumOf(reshape.getSrc());
  if (auto expand = dyn_cast_or_null<tt::ExpandDimsOp>(op))
    return bitSumOf(expand.getSrc());
  if (auto both = dyn_cast_or_null<arith::XOrIOp>(op)) {
    std::optional<BitSum> a = bitSumOf(both.getLhs()), b = bitSumOf(both.getRhs());
    if (a && b)
      return BitSum{a->bits ^ b->bits, a->base != b->base};
  }
  return std::nullopt;
}

bool sorts(Type element) {
  return element.isF32() || element.isF64() || (isa<IntegerType>(element) && !element.isInteger(1));
}

/// A step and the operations that it consists of.
struct Match {
  Value source;
  SortStep step;
  bool isSigned;
  Operation *partner, *compare, *widening, *differs;
};

// The partner is taken where `source > partner` is not what decides.
std::optional<Match> matchStep(arith::SelectOp op) {
  auto partner = op.getTrueValue().getDefiningOp<tt::GatherOp>();
  auto differs = op.getCondition().getDefiningOp<arith::CmpIOp>();
  Value source = op.getFalseValue();
  if (!partner || partner.getSrc() != source || !isExchange(partner) || !differs ||
      differs.getPredicate() != arith::CmpIPredicate::ne || !sorts(ttElement(op.getType())))
    return std::nullopt;
  Value wide = differs.getLhs(), decides = differs.getRhs();
  if (!wide.getDefiningOp<arith::ExtUIOp>())
    std::swap(wide, decides);
  auto widening = wide.getDefiningOp<arith::ExtUIOp>();
  Operation *compare = widening ? widening.getIn().getDefiningOp() : nullptr;
  bool isSigned = false;
  if (auto reals = dyn_cast_or_null<arith::CmpFOp>(compare)) {
    if (reals.getPredicate() != arith::CmpFPredicate::OGT)
      return std::nullopt;
  } else if (auto integers = dyn_cast_or_null<arith::CmpIOp>(compare)) {
    isSigned = integers.getPredicate() == arith::CmpIPredicate::sgt;
    if (!isSigned && integers.getPredicate() != arith::CmpIPredicate::ugt)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  std::optional<BitSum> larger = bitSumOf(decides);
  if (compare->getOperand(0) != source || compare->getOperand(1) != partner.getResult() || !larger)
    return std::nullopt;
  int64_t distance = exchangeDistance(partner);
  if (!llvm::isPowerOf2_64(distance) ||
      (larger->bits & (2 * distance - 1)) != static_cast<uint64_t>(distance))
    return std::nullopt;
  SortStep step{llvm::Log2_64(distance), larger->bits, larger->base};
  return Match{source, step, isSigned, partner, compare, widening, differs};
}

bool usedBy(Value value, ArrayRef<Operation *> users) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) { return llvm::is_contained(users, user); });
}
} // namespace

void SortNetworks::find(tt::FuncOp kernel) {
  llvm::MapVector<Operation *, Match> steps;
  kernel.walk([&](arith::SelectOp op) {
    std::optional<Match> match = matchStep(op);
    auto only = [](Operation *made, Operation *user) { return usedBy(made->getResult(0), user); };
    if (match && usedBy(match->partner->getResult(0), {match->compare, op}) &&
        only(match->compare, match->widening) && only(match->widening, match->differs) &&
        only(match->differs, op))
      steps.insert({op, *match});
  });
  auto before = [&](Operation *op) -> Operation * {
    const Match &match = steps.find(op)->second;
    auto found = steps.find(match.source.getDefiningOp());
    bool links = found != steps.end() && found->first->getBlock() == op->getBlock() &&
                 found->second.isSigned == match.isSigned &&
                 usedBy(match.source, {match.partner, match.compare, op});
    return links ? found->first : nullptr;
  };
  llvm::DenseSet<Operation *> inner;
  for (auto &[op, match] : steps)
    inner.insert(before(op));
  for (auto &[op, match] : steps) {
    if (inner.contains(op))
      continue;
    SortNetwork network{{}, cast<arith::SelectOp>(op), match.isSigned, false, {}};
    SmallVector<Operation *> each;
    for (Operation *step = op; step; step = before(step)) {
      const Match &part = steps.find(step)->second;
      network.steps.push_back(part.step);
      network.source = part.source;
      network.takesSource = usedBy(part.source, {part.partner, part.compare, step});
      each.append({step, part.compare, part.widening, part.differs});
    }
    if (network.steps.size() < fewestSteps)
      continue;
    std::reverse(network.steps.begin(), network.steps.end());
    members.insert(each.begin(), each.end());
    networks[op] = std::move(network);
  }
}

const SortNetwork *SortNetworks::endingAt(Operation *op) const {
  auto found = networks.find(op);
  return found == networks.end() ? nullptr : &found->second;
}

std::string SortNetwork::describe() const {
  std::string text = "network of " + std::to_string(steps.size()) + " steps, bits";
  for (const SortStep &step : steps)
    text += " " + std::to_string(step.bit);
  return text + "\n";
}

} // namespace trisect::cpu
