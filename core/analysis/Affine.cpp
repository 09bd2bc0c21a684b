//===- Affine.cpp - blocks that are linear in their indices ---------------------------------------------===//
#include "core/analysis/Affine.h"
#include "core/analysis/AxisInfo.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace trisect::tt {

namespace {
size_t rankOf(Value value) { return shapeOf(value.getType()).size(); }

std::optional<int64_t> constantOf(Value value) {
  APInt bits;
  if (matchPattern(value, m_ConstantInt(&bits)) && bits.getBitWidth() <= 64)
    return bits.getSExtValue();
  return std::nullopt;
}

AffineBlock ofStart(Polynomial start, size_t rank) {
  AffineBlock block;
  block.start = std::move(start);
  block.strides.resize(rank);
  return block;
}

/// A value that nothing more is known of.
AffineBlock opaque(Value value) {
  bool isPointer = isa<PtrType>(elementOf(value.getType()));
  if (!isa<RankedTensorType>(value.getType())) {
    AffineBlock block = ofStart(isPointer ? Polynomial() : Polynomial(value), 0);
    if (isPointer)
      block.base = value;
    return block;
  }
  AffineBlock block = ofStart(Polynomial(), rankOf(value));
  block.indirect.push_back({value, llvm::to_vector<4>(llvm::seq<int64_t>(0, rankOf(value))), Polynomial(1)});
  return block;
}

AffineBlock scaled(AffineBlock block, const Polynomial &factor) {
  block.start = block.start * factor;
  for (Polynomial &stride : block.strides)
    stride = stride * factor;
  for (AffineBlock::Indirect &part : block.indirect)
    part.factor = part.factor * factor;
  return block;
}

AffineBlock sum(AffineBlock lhs, const AffineBlock &rhs) {
  lhs.start = lhs.start + rhs.start;
  for (auto [mine, other] : llvm::zip(lhs.strides, rhs.strides))
    mine = mine + other;
  for (const AffineBlock::Indirect &part : rhs.indirect) {
    auto same = llvm::find_if(lhs.indirect, [&](const AffineBlock::Indirect &mine) {
      return mine.block == part.block && mine.dims == part.dims;
    });
    if (same == lhs.indirect.end())
      lhs.indirect.push_back(part);
    else if ((same->factor = same->factor + part.factor).isZero())
      lhs.indirect.erase(same);
  }
  return lhs;
}

/// The value is the same for all indices.
std::optional<Polynomial> uniform(const AffineBlock &block) {
  bool moves = llvm::any_of(block.strides, [](const Polynomial &stride) { return !stride.isZero(); });
  if (moves || !block.isLinear() || block.base)
    return std::nullopt;
  return block.start;
}

class Finder {
public:
  AffineBlock of(Value value) {
    if (auto found = known.find(value); found != known.end())
      return found->second;
    AffineBlock block = find(value);
    known.try_emplace(value, block);
    return block;
  }

private:
  AffineBlock find(Value value) {
    if (std::optional<int64_t> constant = constantOf(value))
      return ofStart(*constant, rankOf(value));
    Operation *op = value.getDefiningOp();
    bool mayWrap = isIntLike(value.getType()) && elementBits(value.getType()) < 32;
    if (!op || (mayWrap && isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)))
      return opaque(value);
    return llvm::TypeSwitch<Operation *, AffineBlock>(op)
        .Case<arith::ExtSIOp, arith::IndexCastOp>([&](auto cast) { return of(cast->getOperand(0)); })
        .Case([&](arith::AddIOp add) { return sum(of(add.getLhs()), of(add.getRhs())); })
        .Case([&](arith::SubIOp sub) { return sum(of(sub.getLhs()), scaled(of(sub.getRhs()), -1)); })
        .Case([&](arith::MulIOp mul) { return product(mul); })
        .Case([&](AddPtrOp add) { return address(add); })
        .Case([&](MakeRangeOp range) {
          AffineBlock block = ofStart(int64_t(range.getStart()), 1);
          block.strides[0] = 1;
          return block;
        })
        .Case([&](SplatOp splat) {
          AffineBlock block = of(splat.getSrc());
          block.strides.resize(rankOf(splat));
          return block;
        })
        .Case<ExpandDimsOp, BroadcastOp, TransOp>([&](auto shape) { return moved(shape); })
        .Default([&](Operation *) { return opaque(value); });
  }

  AffineBlock product(arith::MulIOp mul) {
    AffineBlock lhs = of(mul.getLhs()), rhs = of(mul.getRhs());
    if (std::optional<Polynomial> factor = uniform(rhs))
      return scaled(lhs, *factor);
    if (std::optional<Polynomial> factor = uniform(lhs))
      return scaled(rhs, *factor);
    return opaque(mul);
  }

  AffineBlock address(AddPtrOp add) {
    AffineBlock pointer = of(add.getPtr());
    return sum(std::move(pointer), scaled(of(add.getOffset()), unitOf(add.getType())));
  }

  AffineBlock moved(ExpandDimsOp op) {
    AffineBlock block = of(op.getSrc());
    auto axis = static_cast<int64_t>(op.getAxis());
    block.strides.insert(block.strides.begin() + axis, Polynomial());
    for (AffineBlock::Indirect &part : block.indirect)
      for (int64_t &dim : part.dims)
        dim += dim >= axis;
    return block;
  }

  AffineBlock moved(BroadcastOp op) {
    AffineBlock block = of(op.getSrc());
    for (auto [dim, sizes] :
         llvm::enumerate(llvm::zip(shapeOf(op.getSrc().getType()), shapeOf(op.getType()))))
      if (auto [before, after] = sizes; before != after) {
        block.strides[dim] = Polynomial();
        // An opaque block of this very shape would be read past its end: it stays what it was.
        for (const AffineBlock::Indirect &part : block.indirect)
          if (llvm::is_contained(part.dims, static_cast<int64_t>(dim)))
            return opaque(op);
      }
    return block;
  }

  AffineBlock moved(TransOp op) {
    AffineBlock source = of(op.getSrc()), block = source;
    for (auto [to, from] : llvm::enumerate(op.getOrder()))
      block.strides[to] = source.strides[from];
    for (AffineBlock::Indirect &part : block.indirect)
      for (int64_t &dim : part.dims)
        dim = llvm::find(op.getOrder(), static_cast<int32_t>(dim)) - op.getOrder().begin();
    return block;
  }

  llvm::DenseMap<Value, AffineBlock> known;
};

/// `index predicate limit` as one bound; the other way round for `limit predicate index`.
std::optional<AffineBound> boundOf(const AffineBlock &index, arith::CmpIPredicate predicate,
                                   const Polynomial &limit) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return AffineBound{index, limit, true};
  case arith::CmpIPredicate::sle:
    return AffineBound{index, limit + 1, true};
  case arith::CmpIPredicate::sge:
    return AffineBound{index, limit, false};
  case arith::CmpIPredicate::sgt:
    return AffineBound{index, limit + 1, false};
  default:
    return std::nullopt;
  }
}

arith::CmpIPredicate turned(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::slt:
    return arith::CmpIPredicate::sgt;
  case arith::CmpIPredicate::sle:
    return arith::CmpIPredicate::sge;
  case arith::CmpIPredicate::sgt:
    return arith::CmpIPredicate::slt;
  case arith::CmpIPredicate::sge:
    return arith::CmpIPredicate::sle;
  default:
    return predicate;
  }
}

/// The index of a mask after a step that repeats the mask.
void follow(AffineBound &bound, Operation *step) {
  SmallVector<Polynomial, 4> &strides = bound.index.strides;
  if (auto expand = dyn_cast<ExpandDimsOp>(step)) {
    strides.insert(strides.begin() + expand.getAxis(), Polynomial());
    return;
  }
  strides.resize(rankOf(step->getResult(0)));
  if (isa<BroadcastOp>(step))
    for (auto [dim, size] : llvm::enumerate(shapeOf(step->getOperand(0).getType())))
      if (size == 1)
        strides[dim] = Polynomial();
}

/// A mask seen through what only repeats it.
bool collect(Value mask, Finder &finder, std::vector<AffineBound> &bounds, SmallVector<Operation *> path) {
  Operation *op = mask.getDefiningOp();
  if (!op)
    return false;
  if (constantOf(mask) && *constantOf(mask) != 0)
    return true;
  if (auto both = dyn_cast<arith::AndIOp>(op))
    return collect(both.getLhs(), finder, bounds, path) && collect(both.getRhs(), finder, bounds, path);
  if (isa<ExpandDimsOp, BroadcastOp, SplatOp>(op)) {
    path.push_back(op);
    return collect(op->getOperand(0), finder, bounds, path);
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  AffineBlock lhs = finder.of(compare.getLhs()), rhs = finder.of(compare.getRhs());
  std::optional<AffineBound> bound;
  if (std::optional<Polynomial> limit = uniform(rhs))
    bound = boundOf(lhs, compare.getPredicate(), *limit);
  else if (std::optional<Polynomial> limit = uniform(lhs))
    bound = boundOf(rhs, turned(compare.getPredicate()), *limit);
  if (!bound || !bound->index.isLinear())
    return false;
  for (Operation *step : llvm::reverse(path))
    follow(*bound, step);
  bounds.push_back(std::move(*bound));
  return true;
}
} // namespace

AffineBlock affineOf(Value value) { return Finder().of(value); }

std::optional<std::vector<AffineBound>> boundsOfMask(Value mask) {
  std::vector<AffineBound> bounds;
  if (!mask)
    return bounds;
  Finder finder;
  if (!collect(mask, finder, bounds, {}))
    return std::nullopt;
  return bounds;
}

} // namespace trisect::tt
