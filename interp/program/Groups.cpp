//===- Groups.cpp - rows of elementwise code that run strip by strip ------------------------------------===//
//
// Within a stretch of code that no jump enters, elementwise instructions, loads and stores of one number of
// elements gather in a group. Pure instructions that need no result of the open group move ahead of it;
// anything else closes it. A group of one is not worth a header.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/Optimize.h"
#include <unordered_set>

namespace trisect::interp {

namespace {

constexpr size_t mostMembers = 48;

class Grouper {
public:
  explicit Grouper(Program &program) : program(program), targets(jumpTargets(program)) {}

  void run() {
    moved.resize(program.code.size() + 1);
    for (uint32_t at = 0; at < program.code.size(); ++at) {
      if (targets[at] || at == program.uniformEnd)
        close();
      if (at == program.uniformEnd)
        uniformEnd = static_cast<uint32_t>(out.size());
      moved[at] = static_cast<uint32_t>(out.size());
      take(program.code[at]);
    }
    close();
    moved[program.code.size()] = static_cast<uint32_t>(out.size());
    program.code = std::move(out);
    program.uniformEnd = uniformEnd;
    remap();
  }

private:
  /// Elements of what the instruction works on, 0 if it cannot join a group.
  int64_t extent(const Instr &i) const {
    if (i.flags & FlagLanes)
      return 0;
    switch (i.opcode) {
    case Opcode::Elementwise:
      if (i.numOperands > 4)
        return 0;
      [[fallthrough]];
    case Opcode::Load:
      return program.elements(program.result(i));
    case Opcode::Store:
      return program.elements(program.operand(i, 1));
    default:
      return 0;
    }
  }

  bool needsOpen(const Instr &i) const {
    for (uint32_t use : program.operands(i))
      if (made.count(use & ~lastUseBit))
        return true;
    return false;
  }

  void take(const Instr &i) {
    int64_t elements = extent(i);
    bool block = elements > 1;
    bool movable = isPure(i.opcode) && !needsOpen(i);
    if (block) {
      if (!open.empty() && (elements != openElements || open.size() == mostMembers)) {
        if (movable && elements != openElements) {
          out.push_back(i);
          return;
        }
        close();
      }
      openElements = elements;
      open.push_back(i);
      for (uint32_t slot : program.results(i))
        made.insert(slot);
      return;
    }
    if (!open.empty() && movable) {
      out.push_back(i);
      return;
    }
    close();
    out.push_back(i);
  }

  void close() {
    if (open.size() == 1)
      out.push_back(open.front());
    if (open.size() > 1) {
      Instr header;
      header.opcode = Opcode::Group;
      header.location = open.front().location;
      header.op = open.front().op;
      groups.push_back(static_cast<uint32_t>(out.size()));
      out.push_back(header);
      for (Instr &member : open) {
        member.flags |= FlagMember;
        out.push_back(member);
      }
      out[groups.back()].target = static_cast<uint32_t>(out.size());
    }
    open.clear();
    made.clear();
  }

  /// Targets name old places, but those of group headers are new already.
  void remap() {
    std::vector<uint32_t> ends;
    for (uint32_t at : groups)
      ends.push_back(program.code[at].target);
    for (uint32_t at : groups)
      program.code[at].target = 0;
    retarget(program, moved);
    for (size_t n = 0; n < groups.size(); ++n)
      program.code[groups[n]].target = ends[n];
    markEscapes();
  }

  /// Results of members that something outside their group reads.
  void markEscapes() {
    std::vector<uint32_t> home(program.slots.size(), 0), reader(program.code.size(), 0);
    for (uint32_t at : groups)
      for (uint32_t k = at + 1; k < program.code[at].target; ++k) {
        reader[k] = at + 1;
        for (uint32_t slot : program.results(program.code[k]))
          home[slot] = at + 1;
      }
    std::vector<bool> escapes(program.slots.size(), false);
    for (uint32_t at = 0; at < program.code.size(); ++at)
      for (uint32_t use : program.operands(program.code[at])) {
        SlotId slot = use & ~lastUseBit;
        if (slot != noSlot && home[slot] != reader[at])
          escapes[slot] = true;
      }
    for (const Extra &extra : program.extras)
      for (SlotId slot : extra.region.results)
        escapes[slot] = true;
    for (Instr &instr : program.code)
      if (instr.numResults && (!(instr.flags & FlagMember) || escapes[program.result(instr)]))
        instr.flags |= FlagEscapes;
  }

  Program &program;
  std::vector<bool> targets;
  std::vector<Instr> out, open;
  std::unordered_set<SlotId> made;
  int64_t openElements = 0;
  std::vector<uint32_t> moved, groups;
  uint32_t uniformEnd = 0;
};

} // namespace

void formGroups(Program &program) { Grouper(program).run(); }

} // namespace trisect::interp
