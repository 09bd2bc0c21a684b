//===- Optimize.cpp - dead code and regions -------------------------------------------------------------===//
#include "interp/program/Optimize.h"
#include <set>

namespace trisect::interp {

namespace {

/// Whether the instruction may go when its results are not read. Regions go with their body (handled apart).
bool removable(const Instr &instr) {
  if (isPlainLoad(instr.opcode))
    return !(instr.flags & FlagVolatile);
  return isPure(instr.opcode) || instr.opcode == Opcode::Move;
}

} // namespace

std::vector<bool> jumpTargets(const Program &program) {
  std::vector<bool> reached(program.code.size() + 1, false);
  for (const Instr &instr : program.code)
    if (hasTarget(instr.opcode))
      reached[instr.target] = true;
  return reached;
}

void retarget(Program &program, const std::vector<uint32_t> &moved) {
  for (Instr &instr : program.code)
    if (hasTarget(instr.opcode))
      instr.target = moved[instr.target];
}

/// What made a variable may go while a constant or a part of its statement stays: these are not the variable.
void forgetParts(Program &program, const std::vector<bool> &stays) {
  std::set<uint32_t> gone;
  std::set<std::pair<uint32_t, int>> goneAt; // by name and line
  for (uint32_t at = static_cast<uint32_t>(program.code.size()); at-- > 0;) {
    const Instr &instr = program.code[at];
    int line = program.position(instr).line;
    for (uint32_t slot : program.results(instr)) {
      if (slot == noSlot)
        continue;
      uint32_t &name = program.slots[slot].name;
      if (!stays[at]) {
        gone.insert(name);
        goneAt.insert({name, line});
      } else if (goneAt.count({name, line})) {
        name = 0;
      }
    }
  }
  for (const Constant &constant : program.constants)
    if (gone.count(program.slots[constant.slot].name))
      program.slots[constant.slot].name = 0;
}

void dropDead(Program &program) {
  // A slot is wanted if an instruction that stays reads it; its writers then stay.
  std::vector<std::vector<uint32_t>> writers(program.slots.size());
  for (uint32_t at = 0; at < program.code.size(); ++at)
    for (uint32_t slot : program.results(program.code[at]))
      writers[slot].push_back(at);
  std::vector<bool> stays(program.code.size(), false), wanted(program.slots.size(), false);
  std::vector<SlotId> work;
  auto want = [&](uint32_t use) {
    SlotId slot = use & ~lastUseBit;
    if (slot != noSlot && !wanted[slot]) {
      wanted[slot] = true;
      work.push_back(slot);
    }
  };
  auto keep = [&](uint32_t at) {
    const Instr &instr = program.code[at];
    if (instr.opcode == Opcode::Move) { // only the pair that is wanted
      for (unsigned n = 0; n < instr.numResults; ++n)
        if (wanted[program.result(instr, n)])
          want(program.operands(instr)[n]);
      stays[at] = true;
      return;
    }
    if (stays[at])
      return;
    stays[at] = true;
    for (uint32_t use : program.operands(instr))
      want(use);
  };
  for (uint32_t at = 0; at < program.code.size(); ++at)
    if (!removable(program.code[at]))
      keep(at);
  while (!work.empty()) {
    SlotId slot = work.back();
    work.pop_back();
    for (uint32_t at : writers[slot])
      keep(at);
  }
  // Moves lose the pairs that nothing wants.
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    Instr &instr = program.code[at];
    if (instr.opcode != Opcode::Move || !stays[at])
      continue;
    std::vector<uint32_t> from, to;
    for (unsigned n = 0; n < instr.numResults; ++n)
      if (wanted[program.result(instr, n)]) {
        from.push_back(program.operands(instr)[n]);
        to.push_back(program.result(instr, n));
      }
    std::copy(from.begin(), from.end(), program.uses.begin() + instr.uses);
    std::copy(to.begin(), to.end(), program.uses.begin() + instr.uses + from.size());
    instr.numOperands = instr.numResults = static_cast<uint16_t>(from.size());
  }
  forgetParts(program, stays);
  std::vector<uint32_t> moved(program.code.size() + 1);
  std::vector<Instr> rest;
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    moved[at] = static_cast<uint32_t>(rest.size());
    if (stays[at])
      rest.push_back(program.code[at]);
  }
  moved[program.code.size()] = static_cast<uint32_t>(rest.size());
  program.code = std::move(rest);
  retarget(program, moved);
}

void describeRegions(Program &program) {
  for (uint32_t at = 0; at < program.code.size(); ++at) {
    Instr &head = program.code[at];
    if (!hasRegion(head.opcode))
      continue;
    RegionInfo &region = program.extras[head.extra].region;
    uint32_t begin = at + 1, end = head.target - 1; // RegionEnd
    region.lanewise = true;
    for (uint32_t k = begin; k < end; ++k) {
      const Instr &instr = program.code[k];
      bool straight = instr.opcode == Opcode::Elementwise || instr.opcode == Opcode::Undefined ||
                      (instr.opcode == Opcode::Move && instr.numResults > 0);
      region.lanewise &= straight;
    }
    if (!region.lanewise)
      continue;
    for (uint32_t k = begin; k < end; ++k)
      program.code[k].flags |= FlagLanes;
    // One op of both arguments in order, whose result is the region's, perhaps through moves.
    const Instr *only = nullptr;
    bool more = false;
    for (uint32_t k = begin; k < end; ++k)
      if (program.code[k].opcode == Opcode::Elementwise) {
        more |= only != nullptr;
        only = &program.code[k];
      }
    if (only && !more && region.args.size() == 2 && only->numOperands == 2 && region.results.size() == 1 &&
        program.operand(*only, 0) == region.args[0] && program.operand(*only, 1) == region.args[1]) {
      SlotId slot = program.result(*only);
      for (uint32_t k = begin; k < end; ++k)
        if (program.code[k].opcode == Opcode::Move && program.operand(program.code[k], 0) == slot)
          slot = program.result(program.code[k]);
      region.single = slot == region.results[0];
      region.op = only->op;
      if (region.single && head.opcode == Opcode::Reduce)
        program.extras[head.extra].reduce = reduceKernel(region.op, program.type(region.args[0]));
      if (region.single && head.opcode == Opcode::Scan)
        program.extras[head.extra].scan = scanKernel(region.op, program.type(region.args[0]));
    }
  }
}

void optimize(Program &program) {
  dropDead(program);
  describeRegions(program);
  hoistUniform(program);
  markInPlace(program);
  formGroups(program);
  markDeaths(program);
}

} // namespace trisect::interp
