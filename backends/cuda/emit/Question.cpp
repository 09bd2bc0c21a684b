//===- Question.cpp - which overlaps a launch can rule out ----------------------------------------------===//
//
// What: takes the starts of two ranges apart into an argument, scalars times bytes and a constant; if the
// scalars cancel, the launch can be asked.
// Why: `x + row * stride` and `out + row * stride` are as far apart as x and out.
// Limits: sums of 32 bits are taken apart only where wrapping does not show, because the bits that it changes
// do not count.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/GlobalOrder.h"
#include "core/ir/TypeUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
class Difference {
public:
  explicit Difference(int64_t element) : element(element) {}

  /// Adds `sign` times the range's first byte; gives the argument that it starts from, if it is one.
  mlir::BlockArgument add(const Reach &reach, int64_t sign) {
    constant += sign * reach.low * reach.bytes;
    for (mlir::Value moved : reach.moved)
      add(moved, sign * reach.bytes);
    mlir::Value pointer = reach.start;
    while (auto further = pointer.getDefiningOp<tt::AddPtrOp>()) {
      unsigned bits = std::max(8u, tt::elementBits(tt::pointeeOf(pointer.getType())));
      add(further.getOffset(), sign * bits / 8);
      pointer = further.getPtr();
    }
    return dyn_cast<mlir::BlockArgument>(pointer);
  }

  bool isConstant() const {
    return all_of(scalars, [](const auto &each) { return each.second == 0; });
  }

  int64_t constant = 0;

private:
  void add(mlir::Value scalar, int64_t bytes) {
    APInt known;
    if (mlir::matchPattern(scalar, mlir::m_ConstantInt(&known))) {
      constant += known.getSExtValue() * bytes;
      return;
    }
    mlir::Operation *op = scalar.getDefiningOp();
    bool isSum =
        scalar.getType().isInteger(64) || (scalar.getType().isInteger(32) && std::abs(bytes) >= element);
    if (isSum && isa_and_nonnull<mlir::arith::AddIOp>(op)) {
      add(op->getOperand(0), bytes);
      add(op->getOperand(1), bytes);
    } else if (isa_and_nonnull<mlir::arith::ExtSIOp>(op)) {
      add(op->getOperand(0), bytes);
    } else {
      scalars[scalar] += bytes;
    }
  }

  int64_t element; ///< bytes of the smaller element: 2^32 of them do not count
  MapVector<mlir::Value, int64_t> scalars;
};

std::optional<uint32_t> numberOf(mlir::BlockArgument argument) {
  if (!argument || !isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ||
      !argument.getOwner()->isEntryBlock() || !isa<tt::PtrType>(argument.getType()))
    return {};
  return argument.getArgNumber();
}
} // namespace

int64_t lengthOf(const Reach &reach) { return (reach.high - reach.low + 1) * reach.bytes; }

unsigned OverlapTest::drop() const { return 32 - Log2_64(std::min(earlier.bytes, later.bytes)); }

std::optional<OverlapQuestion> OverlapTest::ofLaunch() const {
  Difference difference(std::min(earlier.bytes, later.bytes));
  std::optional<uint32_t> first = numberOf(difference.add(earlier, 1));
  std::optional<uint32_t> second = numberOf(difference.add(later, -1));
  if (!first || !second || !difference.isConstant())
    return {};
  return OverlapQuestion{*first,          *second, difference.constant, lengthOf(earlier),
                         lengthOf(later), drop(),  sameThreadIfEqual};
}

} // namespace trisect::cuda
