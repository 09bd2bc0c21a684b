//===- Group.cpp - planning and running strips ----------------------------------------------------------===//
//
// A member whose operands allow it is computed symbolically at once. Any other becomes a step of the plan:
// where its operands lie and where its result goes, a strip buffer or the block that outlives the group. Then
// the plan runs for each strip in turn.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/ops/Group.h"
#include "core/support/PerThread.h"
#include "interp/exec/Fetch.h"
#include "interp/ops/Access.h"
#include "interp/ops/Handlers.h"
#include "interp/ops/Symbolic.h"
#include <algorithm>
#include <optional>

namespace trisect::interp {

namespace {

constexpr int64_t stripElements = 1024;
constexpr int maxOperands = 4;

struct Operand {
  enum class Kind : uint8_t { Splat, Block, Step, Generic } kind;
  uint8_t size;                 ///< bytes of an element
  uint16_t step = 0;            ///< Step: which one made it
  const char *data = nullptr;   ///< Splat, Block
  const Value *value = nullptr; ///< Generic
  SlotId slot = 0;
};

struct PlanStep {
  const Instr *instr = nullptr;
  ElementwiseFn kernel = nullptr;
  uint8_t numOperands = 0;
  bool copies = false;           ///< a load that must not be used in place
  uint8_t size = 0;              ///< bytes of a result element
  int16_t buffer = -1;           ///< strip buffer of the result
  char *block = nullptr;         ///< block memory of the result, instead of a strip buffer
  const char *current = nullptr; ///< where this strip's elements lie
  Operand operands[maxOperands];
  std::optional<Access> access;
  Value pointer, mask, other; ///< what the access refers to
  Value result;               ///< owns `block` until the plan has run
};

/// Strip buffers of a thread.
struct Scratch {
  alignas(64) char operands[maxOperands][stripElements * 8];
  alignas(64) char strips[maxGroup][stripElements * 8];
  PlanStep steps[maxGroup];
};

Scratch &scratch() {
  static constinit PerThread<std::unique_ptr<Scratch>> scratches;
  std::unique_ptr<Scratch> &mine = scratches.get();
  if (!mine)
    mine = std::make_unique<Scratch>();
  return *mine;
}

class Group {
public:
  explicit Group(Instance &s, PlanStep *steps) : s(s), steps(steps) {}

  void run(const Instr *first, const Instr *last) {
    for (const Instr *i = first; i != last; ++i) {
      if (resolve(*i))
        continue;
      plan(*i);
    }
    flush(false);
    for (const Instr *i = first; i != last; ++i)
      if (i->flags & FlagLastUse)
        s.dropLastUses(*i);
  }

private:
  bool pending(const Instr &i, unsigned n) const { return s.operand(i, n).form == Form::Strip; }

  int16_t takeBuffer() { return numFree ? freeBuffers[--numFree] : nextBuffer++; }

  /// Computes the member at once if that takes no work per element.
  bool resolve(const Instr &i) {
    switch (i.opcode) {
    case Opcode::Elementwise:
      for (unsigned n = 0; n < i.numOperands; ++n)
        if (pending(i, n))
          return i.op == OpId::arith_select && n > 0 && s.operand(i, 0).isSplat() ? forward(i) : false;
      return symbolic(s, i);
    case Opcode::Load:
      return resolveLoad(i);
    default:
      return resolveStore(i);
    }
  }

  /// A select whose condition is known passes on a pending operand.
  bool forward(const Instr &i) {
    unsigned chosen = s.operand(i, 0).isTrue() ? 1 : 2;
    if (pending(i, chosen))
      return false;
    Value kept = s.operand(i, chosen);
    s.result(i) = std::move(kept);
    return true;
  }

  bool resolveLoad(const Instr &i) {
    if (pending(i, 0) || (s.has(i, 1) && pending(i, 1)) || (s.has(i, 2) && pending(i, 2)))
      flush(true);
    SlotId slot = s.resultSlot(i);
    const Value *mask = s.has(i, 1) ? &s.operand(i, 1) : nullptr;
    const Value *other = s.has(i, 2) ? &s.operand(i, 2) : nullptr;
    Access access(s.operand(i, 0), mask, s.shape(slot), s.type(slot));
    if (access.none()) {
      Value kept;
      if (other)
        kept = *other;
      else
        kept.setSplat(0);
      s.result(i) = std::move(kept);
      return true;
    }
    if (!access.uniform()) {
      int64_t strides[maxSymbolicRank];
      if (!(i.flags & FlagInPlace) || s.policy || !access.isView(strides) ||
          access.address() % byteSize(s.type(slot)))
        return false;
      if (hasStores())
        flush(true);
      access.fetchAhead(s, i);
      Value &result = s.result(i);
      result.drop();
      result.form = Form::View;
      result.data = reinterpret_cast<char *>(access.address());
      std::copy(strides, strides + maxSymbolicRank, result.stride);
      return true;
    }
    if (hasStores())
      flush(true);
    uint64_t bits = 0;
    unsigned size = byteSize(s.type(slot));
    if (s.policy)
      s.policy->read(s.site(i), access.address(), &bits, size);
    else
      readScalar(access.address(), size, bits);
    s.result(i).setSplat(bits);
    return true;
  }

  /// Another program may write at this moment: one access, never torn.
  static void readScalar(uint64_t address, unsigned size, uint64_t &bits) {
    auto aligned = [&](auto *p) {
      if (address % sizeof(*p))
        std::memcpy(&bits, p, sizeof(*p));
      else
        bits = __atomic_load_n(p, __ATOMIC_RELAXED);
    };
    switch (size) {
    case 1:
      return aligned(reinterpret_cast<const uint8_t *>(address));
    case 2:
      return aligned(reinterpret_cast<const uint16_t *>(address));
    case 4:
      return aligned(reinterpret_cast<const uint32_t *>(address));
    default:
      return aligned(reinterpret_cast<const uint64_t *>(address));
    }
  }

  bool resolveStore(const Instr &i) {
    if (pending(i, 0) || (s.has(i, 2) && pending(i, 2)))
      flush(true);
    return s.has(i, 2) && s.operand(i, 2).isFalse();
  }

  bool hasStores() const {
    for (int k = 0; k < count; ++k)
      if (steps[k].instr->opcode == Opcode::Store)
        return true;
    return false;
  }

  /// Whether running `access` strip by strip along with the planned ones could change what is read or
  /// written.
  bool conflicts(const Access &access, bool isStore) {
    uint64_t low, high;
    bool known = access.range(low, high);
    for (int k = 0; k < count; ++k) {
      PlanStep &step = steps[k];
      bool store = step.instr->opcode == Opcode::Store;
      if (!step.access || (!store && !isStore))
        continue;
      uint64_t from, to;
      if (known && step.access->range(from, to)) {
        if (high <= from || to <= low)
          continue;
        if (access.sameAs(*step.access)) {
          step.copies = true;
          continue;
        }
      }
      return true;
    }
    return false;
  }

  void plan(const Instr &i) {
    bool memory = i.opcode != Opcode::Elementwise;
    PlanStep *step = nullptr;
    if (memory) {
      SlotId element = i.opcode == Opcode::Load ? s.resultSlot(i) : s.operandSlot(i, 1);
      unsigned maskAt = i.opcode == Opcode::Load ? 1 : 2;
      auto build = [&] {
        step = &steps[count];
        step->copies = false;
        step->pointer = s.operand(i, 0);
        if (s.has(i, maskAt))
          step->mask = s.operand(i, maskAt);
        if (i.opcode == Opcode::Load && s.has(i, 2))
          step->other = s.operand(i, 2);
        step->access.emplace(step->pointer, s.has(i, maskAt) ? &step->mask : nullptr, s.shape(element),
                             s.type(element));
      };
      build();
      if (conflicts(*step->access, i.opcode == Opcode::Store)) {
        flush(true);
        build();
      }
      step->access->fetchAhead(s, i);
    } else {
      step = &steps[count];
      step->access.reset();
    }
    step->instr = &i;
    step->numOperands = 0;
    step->block = nullptr;
    step->buffer = -1;
    int16_t dying[maxOperands];
    int numDying = 0;
    if (i.opcode == Opcode::Elementwise) {
      step->kernel = i.kernel[s.numerics];
      for (unsigned n = 0; n < i.numOperands; ++n)
        addOperand(*step, i, n, dying, numDying);
    } else if (i.opcode == Opcode::Store) {
      addOperand(*step, i, 1, dying, numDying);
    }
    if (i.numResults)
      placeResult(*step, i, dying, numDying);
    for (int k = 0; k < numDying; ++k)
      freeBuffers[numFree++] = dying[k];
    ++count;
  }

  void addOperand(PlanStep &step, const Instr &i, unsigned n, int16_t *dying, int &numDying) {
    Operand &operand = step.operands[step.numOperands++];
    SlotId slot = s.operandSlot(i, n);
    Value &value = s.slot(slot);
    operand.slot = slot;
    operand.size = static_cast<uint8_t>(byteSize(s.type(slot)));
    widest = std::max<unsigned>(widest, operand.size);
    switch (value.form) {
    case Form::Splat:
      operand.kind = Operand::Kind::Splat;
      operand.data = reinterpret_cast<const char *>(&value.base);
      return;
    case Form::Dense:
      operand.kind = Operand::Kind::Block;
      operand.data = value.data;
      return;
    case Form::Strip: {
      operand.kind = Operand::Kind::Step;
      operand.step = static_cast<uint16_t>(value.base);
      int16_t buffer = steps[operand.step].buffer;
      if (s.dies(i, n) && buffer >= 0)
        dying[numDying++] = buffer;
      return;
    }
    default:
      operand.kind = Operand::Kind::Generic;
      operand.value = &value;
    }
  }

  void placeResult(PlanStep &step, const Instr &i, int16_t *dying, int &numDying) {
    SlotId slot = s.resultSlot(i);
    step.size = static_cast<uint8_t>(byteSize(s.type(slot)));
    widest = std::max<unsigned>(widest, step.size);
    steps[count].result.drop();
    if ((i.flags & FlagEscapes) || !s.fused) {
      placeBlock(step, i);
    } else if (numDying && i.opcode == Opcode::Elementwise &&
               sizeOf(dying[numDying - 1], step) == step.size) {
      step.buffer = dying[--numDying];
    } else {
      step.buffer = takeBuffer();
    }
    Value &value = s.slot(slot);
    value.drop();
    value.form = Form::Strip;
    value.base = static_cast<uint64_t>(count);
  }

  unsigned sizeOf(int16_t buffer, const PlanStep &step) const {
    for (int n = 0; n < step.numOperands; ++n)
      if (step.operands[n].kind == Operand::Kind::Step && steps[step.operands[n].step].buffer == buffer)
        return step.operands[n].size;
    return 0;
  }

  /// Block memory for a result that outlives the group: of an operand that dies here, or fresh.
  void placeBlock(PlanStep &step, const Instr &i) {
    if (i.opcode == Opcode::Elementwise)
      for (unsigned n = 0; n < i.numOperands; ++n) {
        Value &value = s.operand(i, n);
        if (s.dies(i, n) && value.form == Form::Dense && value.owned() &&
            step.operands[n].size == step.size) {
          steps[count].result = std::move(value);
          step.block = steps[count].result.data;
          return;
        }
      }
    steps[count].result.setDense(s.pool.acquire(s.elements(i, s.resultSlot(i)) * step.size));
    step.block = steps[count].result.data;
  }

  /// Runs the plan over all strips. If `keep`, every result becomes a block, since the group goes on after
  /// it.
  void flush(bool keep) {
    if (!count)
      return;
    const Instr &head = *steps[0].instr;
    SlotId sized = head.numResults ? s.resultSlot(head) : s.operandSlot(head, 1);
    int64_t total = s.elements(head, sized);
    if (keep)
      for (int k = 0; k < count; ++k)
        if (steps[k].instr->numResults && !steps[k].block) {
          steps[k].result.setDense(s.pool.acquire(total * steps[k].size));
          steps[k].block = steps[k].result.data;
        }
    int64_t strip = widest == 8 ? stripElements / 2 : stripElements;
    for (int64_t offset = 0; offset < total; offset += strip)
      runStrip(offset, std::min(strip, total - offset));
    for (int k = 0; k < count; ++k) {
      PlanStep &step = steps[k];
      if (step.instr->numResults) {
        Value &value = s.result(*step.instr);
        if (step.block)
          value = std::move(steps[k].result);
        else
          value.drop();
      }
      step.access.reset();
      step.pointer.drop();
      step.mask.drop();
      step.other.drop();
    }
    count = 0;
    widest = 1;
    numFree = nextBuffer = 0;
  }

  Strip operandStrip(const PlanStep &step, int n, int64_t offset, int64_t length) {
    const Operand &operand = step.operands[n];
    switch (operand.kind) {
    case Operand::Kind::Splat:
      return {operand.data, true};
    case Operand::Kind::Block:
      return {operand.data + offset * operand.size, false};
    case Operand::Kind::Step:
      return {steps[operand.step].current, false};
    default:
      return fetch(*operand.value, s.type(operand.slot), s.shape(operand.slot), offset, length,
                   scratch().operands[n]);
    }
  }

  void runStrip(int64_t offset, int64_t length) {
    Scratch &memory = scratch();
    for (int k = 0; k < count; ++k) {
      PlanStep &step = steps[k];
      const Instr &i = *step.instr;
      char *into = step.block         ? step.block + offset * step.size
                   : step.buffer >= 0 ? memory.strips[step.buffer]
                                      : nullptr;
      switch (i.opcode) {
      case Opcode::Elementwise: {
        Strip strips[maxOperands];
        for (int n = 0; n < step.numOperands; ++n)
          strips[n] = operandStrip(step, n, offset, length);
        step.kernel(into, strips, length, i.attribute);
        step.current = into;
        break;
      }
      case Opcode::Load: {
        const Value *other = step.other.form == Form::Empty ? nullptr : &step.other;
        const void *found = step.access->load(s, i, other, offset, length, into);
        if (found != into && (step.block || step.copies)) {
          std::memcpy(into, found, length * step.size);
          found = into;
        }
        step.current = static_cast<const char *>(found);
        break;
      }
      default:
        step.access->store(s, i, operandStrip(step, 0, offset, length), offset, length);
      }
    }
  }

  Instance &s;
  PlanStep *steps; ///< maxGroup of them
  int count = 0;
  unsigned widest = 1;
  int16_t numFree = 0, nextBuffer = 0;
  int16_t freeBuffers[maxGroup];
};

} // namespace

void runGroup(Instance &instance, const Instr *first, const Instr *last) {
  if (last - first == 1 && first->opcode == Opcode::Elementwise && symbolic(instance, *first)) {
    if (first->flags & FlagLastUse)
      instance.dropLastUses(*first);
    return;
  }
  Group(instance, scratch().steps).run(first, last);
}

void group(Instance &s, const Instr &i) {
  if (!s.fused)
    return; // the members follow and run one by one
  runGroup(s, &i + 1, s.code + i.target);
  s.pc = i.target;
}

void member(Instance &s, const Instr &i) { runGroup(s, &i, &i + 1); }

} // namespace trisect::interp
