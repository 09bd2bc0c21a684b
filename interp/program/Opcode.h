//===- Opcode.h - what the step loop does with an instruction -------------------------------------------===//
//
// What: the opcodes of Opcodes.def and the questions that other code asks of them. Why: who touches memory,
// jumps or may be dropped is said once, in the table. Limits: what depends on flags or operands of a single
// instruction is asked where it matters.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_OPCODE_H
#define TRISECT_INTERP_PROGRAM_OPCODE_H

#include "core/support/OpFacts.h"
#include <algorithm>
#include <cstdint>
#include <iterator>

namespace trisect::interp {

/// Many ops of the op table share one opcode.
enum class Opcode : uint8_t {
#define TRISECT_OPCODE(name, handler, transfer, traits) name,
#include "interp/program/Opcodes.def"
};

namespace opcode {
enum Trait : uint16_t {
  None = 0,
  Control = 1, ///< moves the program counter or delimits: nothing that the source names
  Target = 2,  ///< Instr::target is a place in the code
  Region = 4,  ///< a body follows, up to the target
  Pure = 8,    ///< does nothing but set its results
  Moves = 16,  ///< each element of the result is one of an operand
  Reads = 32,  ///< memory
  Writes = 64, ///< memory
  Atomic = 128,
  Tile = 256, ///< the memory is a box of a tensor, not a list of addresses
};

constexpr uint16_t traits[] = {
#define TRISECT_OPCODE(name, handler, transfer, traits) traits,
#include "interp/program/Opcodes.def"
};

constexpr uint16_t of(Opcode each, int among) {
  return traits[static_cast<uint8_t>(each)] & static_cast<uint16_t>(among);
}
} // namespace opcode

/// What the behaviours of interp/shadow/Transfer.h are called in the op table; Joins stands for all that go
/// lane by lane.
namespace travels {
constexpr TaintRule Nothing = TaintRule::Nothing, Clean = TaintRule::Clean, Undefined = TaintRule::Poison,
                    Branch = TaintRule::Flow, ForTest = TaintRule::Flow, ForNext = TaintRule::Flow,
                    Move = TaintRule::Flow, Elementwise = TaintRule::Joins, Assembly = TaintRule::Trials,
                    Elements = TaintRule::Moves, Gather = TaintRule::Indexed, Histogram = TaintRule::Indexed,
                    Load = TaintRule::Access, Store = TaintRule::Access, Atomic = TaintRule::Access,
                    Tile = TaintRule::Access, Rows = TaintRule::Access, Fold = TaintRule::Folds,
                    Lanes = TaintRule::Folds, Product = TaintRule::Product,
                    ScaledProduct = TaintRule::Product, Assert = TaintRule::Decides,
                    Assume = TaintRule::Decides;

constexpr TaintRule rules[] = {
#define TRISECT_OPCODE(name, handler, transfer, traits) transfer,
#include "interp/program/Opcodes.def"
};
} // namespace travels

constexpr bool isControl(Opcode each) { return opcode::of(each, opcode::Control); }
constexpr bool hasTarget(Opcode each) { return opcode::of(each, opcode::Target); }
constexpr bool hasRegion(Opcode each) { return opcode::of(each, opcode::Region); }
constexpr bool isPure(Opcode each) { return opcode::of(each, opcode::Pure); }
constexpr bool movesElements(Opcode each) { return opcode::of(each, opcode::Moves); }
constexpr bool readsMemory(Opcode each) { return opcode::of(each, opcode::Reads); }
constexpr bool writesMemory(Opcode each) { return opcode::of(each, opcode::Writes); }
constexpr bool touchesMemory(Opcode each) { return opcode::of(each, opcode::Reads | opcode::Writes); }
constexpr bool isAtomic(Opcode each) { return opcode::of(each, opcode::Atomic); }
constexpr bool touchesTile(Opcode each) { return opcode::of(each, opcode::Tile); }
/// Its first operand is the addresses.
constexpr bool listsAddresses(Opcode each) { return touchesMemory(each) && !touchesTile(each); }
constexpr bool isPlainLoad(Opcode each) {
  return opcode::of(each, opcode::Reads | opcode::Writes | opcode::Atomic) == opcode::Reads;
}
constexpr bool isPlainStore(Opcode each) {
  return opcode::of(each, opcode::Reads | opcode::Writes | opcode::Atomic) == opcode::Writes;
}

/// Taints travel through the opcode as the op table says of an operation that is decoded to it.
constexpr bool carriesOut(Opcode each, TaintRule rule) {
  TaintRule own = travels::rules[static_cast<uint8_t>(each)];
  return isControl(each) || rule == TaintRule::Flow ||
         own == (travelsByLane(rule) ? TaintRule::Joins : rule) ||
         (rule == TaintRule::Trials && own == TaintRule::Access);
}
/// Some opcode does what the op table says of an operation.
constexpr bool canTravel(const OpFacts &facts) {
  TaintRule wanted = travelsByLane(facts.taints) ? TaintRule::Joins : facts.taints;
  return wanted == TaintRule::Flow || std::ranges::find(travels::rules, wanted) != std::end(travels::rules);
}
static_assert(std::ranges::all_of(op_facts::rows, canTravel), "an operation whose taints no opcode moves");

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_OPCODE_H
