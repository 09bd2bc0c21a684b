//===- Program.h - a kernel decoded once into a flat slot program ---------------------------------------===//
//
// What: the form in which tier 0 runs a kernel: a list of instructions over numbered slots, with jumps in
// place of structured control flow and with calls expanded where they stand, so that a running program
// instance is its slots and one program counter. Everything that a step needs (kernels, predicates, element
// sizes, jump targets, which operands die) is resolved here. Why: the step loop must not look anything up,
// and an instance must be resumable at every instruction. Limits: no MLIR; immutable after decoding and
// shared by all launches of the kernel.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_PROGRAM_H
#define TRISECT_INTERP_PROGRAM_PROGRAM_H

#include "core/support/DType.h"
#include "core/support/Enums.h"
#include "core/support/OpTable.h"
#include "core/support/Outcome.h"
#include "interp/kernels/KernelTable.h"
#include "interp/program/Opcode.h"
#include "interp/program/Statement.h"
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trisect::interp {

using SlotId = uint32_t;
/// An operand is a slot number; the top bit says that nothing reads the slot afterwards.
constexpr uint32_t lastUseBit = 0x80000000u;
constexpr SlotId noSlot = 0x7fffffffu;

/// The extent of a block; rank 0 is a scalar.
struct Shape {
  std::vector<int64_t> dims;
  int64_t elements = 1;
  int rank() const { return static_cast<int>(dims.size()); }
};

struct SlotInfo {
  DType type = DType::I32;
  uint32_t shape = 0;    ///< index into Program::shapes
  uint32_t name = 0;     ///< index into Program::strings; 0: the source gives it no name
  bool constant = false; ///< the same for all programs of a launch: never dies
};

/// Where an instruction stands in the source; `caller` is the call that it was expanded at, 0 for none.
struct Location {
  SourcePosition position;
  uint32_t caller = 0;
};

enum InstrFlag : uint8_t {
  FlagVolatile = 1,  ///< a load that must happen each time
  FlagEscapes = 2,   ///< a group member whose result is read outside the group
  FlagSpin = 4,      ///< a back edge of a loop that may wait for another program
  FlagInPlace = 8,   ///< a load that only feeds products, with no write in between: may be read where it lies
  FlagLanes = 16,    ///< stands in a region that runs over many lanes at once
  FlagParallel = 32, ///< a move whose sources and destinations overlap
  FlagMember = 64,   ///< belongs to the group that was opened before it
  FlagLastUse = 128, ///< some operand dies here
};

/// What a tt.assert claims: what the user says, that a value which decides is defined, or that a side of a
/// descriptor is not negative.
enum AssertKind : uint8_t { AssertsUser, AssertsOrigin, AssertsSide };

/// Read-modify-write, as tt.atomic_rmw counts; descriptors add some.
enum AtomicKind : uint8_t {
  AtomicAnd = attr::numberOf(attr::RmwKind::And),
  AtomicOr = attr::numberOf(attr::RmwKind::Or),
  AtomicXor = attr::numberOf(attr::RmwKind::Xor),
  AtomicAdd = attr::numberOf(attr::RmwKind::Add),
  AtomicFAdd = attr::numberOf(attr::RmwKind::FAdd),
  AtomicMax = attr::numberOf(attr::RmwKind::Max),
  AtomicMin = attr::numberOf(attr::RmwKind::Min),
  AtomicUMax = attr::numberOf(attr::RmwKind::UMax),
  AtomicUMin = attr::numberOf(attr::RmwKind::UMin),
  AtomicExch = attr::numberOf(attr::RmwKind::Exch),
  AtomicInc = 64, // none of the dialect's
  AtomicDec,
  AtomicFMax,
  AtomicFMin,
};

/// One instruction. Operands, then results, stand in Program::uses from `uses` on.
struct Instr {
  Opcode opcode = Opcode::Nop;
  uint8_t flags = 0;
  uint16_t numOperands = 0;
  uint16_t numResults = 0;
  OpId op = OpId::arith_constant;
  uint32_t uses = 0;
  uint32_t location = 0;
  uint32_t target = 0;    ///< jumps and regions: where to go on; groups: one past the last member
  uint32_t extra = 0;     ///< index into Program::extras, 0 for none
  uint64_t attribute = 0; ///< predicate, axis, element size ...: see the opcode
  ElementwiseFn kernel[2] = {nullptr, nullptr}; ///< by Numerics
};

/// The body of a reduce, scan or map: the instructions up to Instr::target.
struct RegionInfo {
  std::vector<SlotId> args;
  std::vector<SlotId> results;
  bool lanewise = false;          ///< straight elementwise code: may run over many lanes at once
  bool single = false;            ///< one op of both arguments in order
  OpId op = OpId::arith_constant; ///< that op
};

/// What only some instructions need.
struct Extra {
  std::vector<int64_t> ints;
  std::vector<int64_t> more;
  std::string text;
  RegionInfo region;
  DotFn dot[2] = {nullptr, nullptr}; ///< by Numerics
  ReduceFn reduce = nullptr;         ///< of a reduce whose region is one known op
  ScanFn scan = nullptr;             ///< likewise of a scan
  const void *table = nullptr;       ///< prepared state of a handler, owned by `owner`
  std::shared_ptr<const void> owner;
};

/// How a parameter of the kernel arrives. Descriptors fill several slots from one argument.
struct Parameter {
  std::string name;
  DType type = DType::I32;
  DType pointee = DType::I8; ///< of a pointer
  bool descriptor = false;
  SlotId slot = noSlot; ///< the first
  int descriptorRank = 0;
  uint64_t divisibility = 1; ///< what the launch promised
};

/// A block constant that is not one value.
struct Constant {
  SlotId slot = noSlot;
  bool splat = true;
  uint64_t bits = 0;         ///< of a splat
  std::vector<uint8_t> data; ///< of anything else
  bool range = false;        ///< start `bits`, step 1
};

/// What the source promised of a value, by dimension; empty: nothing.
struct Hint {
  std::vector<int64_t> divisibility, contiguity, constancy;
  uint32_t pointee = 0; ///< of pointers: bytes between neighbours
  uint32_t location = 0;
};

struct Program {
  std::string kernel;
  std::vector<Instr> code;
  std::vector<uint32_t> uses;
  std::vector<SlotInfo> slots;
  std::vector<Shape> shapes;
  std::vector<Constant> constants;
  std::vector<Extra> extras;
  std::vector<Location> locations;
  std::vector<std::string> strings;
  std::vector<Parameter> parameters;
  std::vector<Statement> statements; ///< only of a program for the debugger
  std::map<SlotId, Hint> hints;      ///< what the source promises of slots
  /// Instructions before this one depend on arguments alone and give every program the same slots.
  uint32_t uniformEnd = 0;
  bool writesMemory = false;
  bool hasAtomics = false;
  bool mayWait = false; ///< holds a loop that may spin on memory
  /// How long a program took in the last launch; 0: not run yet.
  mutable std::atomic<int64_t> nanosPerProgram{0};

  std::span<const uint32_t> operands(const Instr &i) const { return {uses.data() + i.uses, i.numOperands}; }
  std::span<const uint32_t> results(const Instr &i) const {
    return {uses.data() + i.uses + i.numOperands, i.numResults};
  }
  SlotId operand(const Instr &i, unsigned n) const { return uses[i.uses + n] & ~lastUseBit; }
  bool dies(const Instr &i, unsigned n) const { return uses[i.uses + n] & lastUseBit; }
  SlotId result(const Instr &i, unsigned n = 0) const { return uses[i.uses + i.numOperands + n]; }
  const Shape &shape(SlotId slot) const { return shapes[slots[slot].shape]; }
  DType type(SlotId slot) const { return slots[slot].type; }
  int64_t elements(SlotId slot) const { return shapes[slots[slot].shape].elements; }
  const Extra &extra(const Instr &i) const { return extras[i.extra]; }
  /// The innermost source position of an instruction.
  const SourcePosition &position(const Instr &i) const { return locations[i.location].position; }
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_PROGRAM_H
