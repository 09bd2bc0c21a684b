//===- CorpusDemands.cpp - arguments that asserts ask for -----------------------------------------------===//
#include "interp/tools/CorpusDemands.h"
#include "core/support/Enums.h"
#include <optional>

namespace trisect::tools {

namespace {

using interp::Instr;
using interp::Opcode;
using interp::SlotId;

/// A scalar integer, and the parameter that it is a copy of.
struct Known {
  std::optional<int64_t> number;
  std::optional<size_t> parameter;
};

class Demands {
public:
  Demands(const interp::Program &program, std::vector<int64_t> &numbers)
      : program(program), numbers(numbers), slots(program.slots.size()) {
    for (const interp::Constant &constant : program.constants)
      if (constant.splat && !constant.range && program.shape(constant.slot).rank() == 0)
        slots[constant.slot].number = extended(constant.bits, program.type(constant.slot));
    for (size_t n = 0; n < numbers.size(); ++n) {
      const interp::Parameter &parameter = program.parameters[n];
      if (!parameter.descriptor && parameter.type != DType::Ptr && !isFloat(parameter.type))
        slots[parameter.slot] = {numbers[n], n};
    }
  }

  /// Meets the first demand that does not hold; false if all do.
  bool meetOne() {
    std::vector<const Instr *> comparisons(slots.size(), nullptr);
    for (const Instr &i : program.code) {
      if (i.opcode == Opcode::Elementwise) {
        if (i.op == OpId::arith_cmpi && i.attribute == attr::numberOf(attr::CmpI::Eq))
          comparisons[program.result(i)] = &i;
        slots[program.result(i)] = result(i);
      } else if (i.opcode == Opcode::Assert || i.opcode == Opcode::Assume) {
        if (const Instr *comparison = comparisons[program.operand(i, 0)])
          if (meet(*comparison))
            return true;
      }
    }
    return false;
  }

private:
  static int64_t extended(uint64_t bits, DType type) {
    unsigned unused = 64 - (type == DType::I1 ? 1 : byteSize(type) * 8);
    return static_cast<int64_t>(bits << unused) >> unused;
  }

  const Known &operand(const Instr &i, unsigned n) const { return slots[program.operand(i, n)]; }

  Known result(const Instr &i) const {
    Known known;
    if (i.op == OpId::arith_extsi || i.op == OpId::arith_extui || i.op == OpId::arith_trunci)
      return operand(i, 0);
    if (i.numOperands != 2 || !operand(i, 0).number || !operand(i, 1).number)
      return known;
    auto left = static_cast<uint64_t>(*operand(i, 0).number),
         right = static_cast<uint64_t>(*operand(i, 1).number);
    if (i.op == OpId::arith_addi)
      known.number = static_cast<int64_t>(left + right);
    else if (i.op == OpId::arith_subi)
      known.number = static_cast<int64_t>(left - right);
    else if (i.op == OpId::arith_muli)
      known.number = static_cast<int64_t>(left * right);
    return known;
  }

  bool meet(const Instr &comparison) {
    const Known &left = operand(comparison, 0), &right = operand(comparison, 1);
    if (!left.number || !right.number || *left.number == *right.number)
      return false;
    // The later parameter follows the earlier one.
    bool rightFollows = right.parameter && (!left.parameter || *left.parameter < *right.parameter);
    if (!rightFollows && !left.parameter)
      return false;
    numbers[rightFollows ? *right.parameter : *left.parameter] = rightFollows ? *left.number : *right.number;
    return true;
  }

  const interp::Program &program;
  std::vector<int64_t> &numbers;
  std::vector<Known> slots;
};

} // namespace

void meetDemands(const interp::Program &program, std::vector<int64_t> &numbers) {
  // Each round settles one parameter; demands that contradict each other must not go on for ever.
  for (size_t round = 0; round < 2 * numbers.size(); ++round)
    if (!Demands(program, numbers).meetOne())
      return;
}

} // namespace trisect::tools
