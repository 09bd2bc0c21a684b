//===- AtomicOps.cpp - atomic operations ----------------------------------------------------------------===//
//
// What: read-modify-write of blocks by AtomicBlock where that knows the kind and nobody watches memory, all
// else lane by lane through AtomicCell.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fault.h"
#include "interp/exec/Fetch.h"
#include "interp/ops/AtomicBlock.h"
#include "interp/ops/AtomicCell.h"
#include "interp/ops/BySize.h"
#include "interp/ops/Handlers.h"
#include <algorithm>
#include <chrono>

namespace trisect::interp {

namespace {} // namespace

AtomicCell::AtomicCell(Instance &instance, const Instr &instr, DType type)
    : s(instance), i(instr), type(type), size(byteSize(type)) {}

uint64_t AtomicCell::combine(AtomicKind kind, uint64_t old, uint64_t operand) const {
  int64_t a = signedBits(old, type), b = signedBits(operand, type);
  uint64_t ua = unsignedBits(old, type), ub = unsignedBits(operand, type);
  switch (kind) {
  case AtomicAnd:
    return old & operand;
  case AtomicOr:
    return old | operand;
  case AtomicXor:
    return old ^ operand;
  case AtomicAdd:
    return unsignedBits(old + operand, type);
  case AtomicMax:
    return a >= b ? old : operand;
  case AtomicMin:
    return a <= b ? old : operand;
  case AtomicUMax:
    return ua >= ub ? old : operand;
  case AtomicUMin:
    return ua <= ub ? old : operand;
  case AtomicExch:
    return operand;
  case AtomicInc:
    return ua >= ub ? 0 : ua + 1;
  case AtomicDec:
    return ua == 0 || ua > ub ? operand : ua - 1;
  case AtomicFAdd:
  case AtomicFMax:
  case AtomicFMin: {
    Strip operands[] = {{&old, true}, {&operand, true}};
    alignas(64) uint64_t result[8] = {};
    i.kernel[s.numerics](result, operands, 1, 0);
    uint64_t bits = 0;
    std::memcpy(&bits, result, size);
    return bits;
  }
  }
  return old;
}

uint64_t AtomicCell::load(uint64_t address) {
  uint64_t bits = 0;
  if (s.policy) {
    s.policy->read(s.site(i), address, &bits, size);
    return bits;
  }
  return bySize(size, [&](auto zero) {
    return uint64_t(__atomic_load_n(reinterpret_cast<decltype(zero) *>(address), __ATOMIC_SEQ_CST));
  });
}

void AtomicCell::store(uint64_t address, uint64_t bits) {
  s.writes += !s.repetition || load(address) != bits;
  if (s.policy) {
    s.policy->write(s.site(i), address, &bits, size);
    return;
  }
  bySize(size, [&](auto zero) {
    using T = decltype(zero);
    __atomic_store_n(reinterpret_cast<T *>(address), T(bits), __ATOMIC_SEQ_CST);
  });
}

uint64_t AtomicCell::compareExchange(uint64_t address, uint64_t expected, uint64_t desired) {
  if (s.policy) {
    uint64_t old = load(address);
    if (old == expected && old != desired)
      store(address, desired);
    return old;
  }
  return bySize(size, [&](auto zero) {
    using T = decltype(zero);
    T old = T(expected);
    if (__atomic_compare_exchange_n(reinterpret_cast<T *>(address), &old, T(desired), false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST))
      s.writes += expected != desired;
    return uint64_t(old);
  });
}

uint64_t AtomicCell::update(uint64_t address, AtomicKind kind, uint64_t operand) {
  uint64_t old = load(address);
  while (true) {
    uint64_t fresh = combine(kind, old, operand);
    uint64_t seen = compareExchange(address, old, fresh);
    if (seen == old)
      return old;
    old = seen;
  }
}

namespace {

/// Operands of an atomic as elements: addresses, lanes, values.
struct Lanes {
  int64_t count;
  const uint64_t *address;
  const uint8_t *mask = nullptr;
  Value keep[4];

  Lanes(Instance &s, const Instr &i, unsigned maskAt) : count(s.program.elements(s.operandSlot(i, 0))) {
    address = reinterpret_cast<const uint64_t *>(denseOperand(s, i, 0, keep[0]));
    if (maskAt && s.has(i, maskAt) && !s.operand(i, maskAt).isTrue())
      mask = reinterpret_cast<const uint8_t *>(denseOperand(s, i, maskAt, keep[1]));
  }
  bool active(int64_t lane) const { return !mask || mask[lane]; }
};

uint64_t at(const char *data, unsigned size, int64_t lane) {
  uint64_t bits = 0;
  std::memcpy(&bits, data + lane * size, size);
  return bits;
}

/// Runs `each(lane)` on the active lanes and stores what it gives as the result; other lanes get zero.
template <typename F> void forLanes(Instance &s, const Instr &i, const Lanes &lanes, F each) {
  SlotId result = s.resultSlot(i);
  unsigned size = byteSize(s.type(result));
  if (s.shape(result).rank() == 0) {
    uint64_t bits = lanes.active(0) ? each(0) : 0;
    s.slot(result).setSplat(bits);
    return;
  }
  Value out;
  out.setDense(s.pool.acquire(lanes.count * size));
  for (int64_t lane = 0; lane < lanes.count; ++lane) {
    uint64_t bits = lanes.active(lane) ? each(lane) : 0;
    std::memcpy(out.data + lane * size, &bits, size);
  }
  s.slot(result) = std::move(out);
}

} // namespace

void atomicRmw(Instance &s, const Instr &i) {
  DType type = s.type(s.operandSlot(i, 1));
  Lanes lanes(s, i, 2);
  const char *values = denseOperand(s, i, 1, lanes.keep[2]);
  auto kind = static_cast<AtomicKind>(i.attribute);
  unsigned size = byteSize(type);
  SlotId result = s.resultSlot(i);
  if (s.shape(result).rank() && !s.policy)
    if (AtomicBlockFn block = atomicBlock(kind, type)) {
      Value out;
      out.setDense(s.pool.acquire(lanes.count * size));
      block(lanes.address, lanes.mask, values, out.data, lanes.count, s.writes);
      s.slot(result) = std::move(out);
      return;
    }
  AtomicCell cell(s, i, type);
  forLanes(s, i, lanes,
           [&](int64_t lane) { return cell.update(lanes.address[lane], kind, at(values, size, lane)); });
}

void atomicCas(Instance &s, const Instr &i) {
  DType type = s.type(s.operandSlot(i, 1));
  Lanes lanes(s, i, 0);
  const char *expected = denseOperand(s, i, 1, lanes.keep[2]),
             *desired = denseOperand(s, i, 2, lanes.keep[3]);
  AtomicCell cell(s, i, type);
  unsigned size = byteSize(type);
  forLanes(s, i, lanes, [&](int64_t lane) {
    return cell.compareExchange(lanes.address[lane], at(expected, size, lane), at(desired, size, lane));
  });
}

void atomicLoad(Instance &s, const Instr &i) {
  Lanes lanes(s, i, 1);
  AtomicCell cell(s, i, s.type(s.resultSlot(i)));
  forLanes(s, i, lanes, [&](int64_t lane) { return cell.load(lanes.address[lane]); });
}

void atomicStore(Instance &s, const Instr &i) {
  DType type = s.type(s.operandSlot(i, 1));
  Lanes lanes(s, i, 2);
  const char *values = denseOperand(s, i, 1, lanes.keep[2]);
  AtomicCell cell(s, i, type);
  for (int64_t lane = 0; lane < lanes.count; ++lane)
    if (lanes.active(lane))
      cell.store(lanes.address[lane], at(values, byteSize(type), lane));
}

void atomicPoll(Instance &s, const Instr &i) {
  DType type = s.type(s.operandSlot(i, 1));
  Lanes lanes(s, i, 0);
  const char *expected = denseOperand(s, i, 1, lanes.keep[2]);
  AtomicCell cell(s, i, type);
  unsigned size = byteSize(type);
  bool all = true;
  forLanes(s, i, lanes, [&](int64_t lane) {
    bool reached = cell.load(lanes.address[lane]) == at(expected, size, lane);
    all &= reached;
    return uint64_t(reached);
  });
  if (!all && s.has(i, 2)) {
    s.sawClock();
    int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
    if (!s.pollStarted)
      s.pollStarted = now;
    all = now - s.pollStarted >= int64_t(scalarBits(s, i, 2));
  }
  if (all) {
    s.pollStarted = 0;
    return;
  }
  if (s.interrupt && s.interrupt->load(std::memory_order_relaxed))
    stopIfAsked(s);
  --s.pc;
  if (++s.spins >= s.spinLimit)
    s.stop = Stop::Wait;
}

} // namespace trisect::interp
