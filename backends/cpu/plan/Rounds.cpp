//===- Rounds.cpp - loops as formulas -------------------------------------------------------------------===//
#include "backends/cpu/plan/Rounds.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
using Kind = FormulaStep::Kind;

/// Longer ones are not worth their time at each launch.
constexpr size_t mostSteps = 64;

std::optional<Kind> kindOf(Operation *op) {
  if (isa<arith::AddIOp>(op))
    return Kind::Add;
  if (isa<arith::SubIOp>(op))
    return Kind::Subtract;
  if (isa<arith::MulIOp>(op))
    return Kind::Multiply;
  if (isa<arith::DivSIOp>(op))
    return Kind::Divide;
  if (isa<arith::MinSIOp>(op))
    return Kind::Least;
  if (isa<arith::MaxSIOp>(op))
    return Kind::Greatest;
  return std::nullopt;
}

bool append(Formula &formula, Value value) {
  if (formula.size() > mostSteps)
    return false;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant))) {
    formula.push_back({Kind::Constant, constant.getSExtValue()});
    return true;
  }
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (!isa<tt::FuncOp>(argument.getOwner()->getParentOp()) || !argument.getType().isInteger())
      return false;
    formula.push_back({Kind::Argument, argument.getArgNumber()});
    formula.push_back({Kind::Extend, argument.getType().getIntOrFloatBitWidth()});
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (isa<tt::GetProgramIdOp>(op)) {
    formula.push_back({Kind::Constant, 0});
    return true;
  }
  if (auto programs = dyn_cast<tt::GetNumProgramsOp>(op)) {
    formula.push_back({Kind::Programs, static_cast<int64_t>(programs.getAxis())});
    return true;
  }
  if (isa<arith::ExtSIOp>(op))
    return append(formula, op->getOperand(0));
  std::optional<Kind> kind = kindOf(op);
  if (!kind || !append(formula, op->getOperand(0)) || !append(formula, op->getOperand(1)))
    return false;
  formula.push_back({*kind, 0});
  return true;
}

/// (end - begin + step - 1) / step, and no less than one: another program may enter what the first one does
/// not.
bool appendRounds(Formula &formula, scf::ForOp loop) {
  if (!append(formula, loop.getUpperBound()) || !append(formula, loop.getLowerBound()))
    return false;
  formula.push_back({Kind::Subtract, 0});
  if (!append(formula, loop.getStep()))
    return false;
  formula.push_back({Kind::Add, 0});
  formula.insert(formula.end(), {{Kind::Constant, 1}, {Kind::Subtract, 0}});
  if (!append(formula, loop.getStep()))
    return false;
  formula.insert(formula.end(), {{Kind::Divide, 0}, {Kind::Constant, 1}, {Kind::Greatest, 0}});
  return true;
}
} // namespace

Formula roundsAround(Operation *op) {
  Formula formula;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop; loop = loop->getParentOfType<scf::ForOp>()) {
    Formula more = formula;
    if (!appendRounds(more, loop))
      continue;
    if (!formula.empty())
      more.push_back({Kind::Multiply, 0});
    formula = std::move(more);
  }
  return formula;
}

} // namespace trisect::cpu
