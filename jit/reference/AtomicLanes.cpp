//===- AtomicLanes.cpp - addresses of one operation -----------------------------------------------------===//
#include "jit/reference/AtomicLanes.h"
#include "interp/ops/Access.h"
#include "interp/ops/AccessLanes.h"
#include <algorithm>

namespace trisect::jit {

void AtomicLanes::before(interp::Instance &instance, const interp::Instr &instr) {
  using interp::Opcode;
  bool masked = instr.opcode == Opcode::AtomicRmw || instr.opcode == Opcode::AtomicStore;
  if (haveMet || !(masked || instr.opcode == Opcode::AtomicCas)) // others only read
    return;
  const interp::Shape &shape = instance.shape(instance.operandSlot(instr, 0));
  if (shape.elements < 2)
    return;
  const interp::Value *mask = masked && instance.has(instr, 2) ? &instance.operand(instr, 2) : nullptr;
  interp::Access access(instance.operand(instr, 0), mask, shape,
                        instance.type(instance.operandSlot(instr, 1)));
  if (access.none() || access.distinct())
    return;
  addresses.clear();
  access.forActive([&](uint64_t address, int64_t step, int64_t, int64_t count) {
    for (int64_t n = 0; n < count; ++n)
      addresses.push_back(address + static_cast<uint64_t>(n * step));
  });
  std::ranges::sort(addresses);
  haveMet = std::ranges::adjacent_find(addresses) != addresses.end();
}

} // namespace trisect::jit
