//===- Symbolic.cpp - rules for ranges, addresses and masks ---------------------------------------------===//
#include "interp/ops/Symbolic.h"
#include "core/support/Enums.h"
#include "interp/exec/Linear.h"
#include <algorithm>

namespace trisect::interp {

namespace {

using Predicate = attr::CmpI;
using enum attr::CmpI;

/// The signed test for the same order of numbers that are not negative.
Predicate asSigned(Predicate predicate) {
  switch (predicate) {
  case Ult:
    return Slt;
  case Ule:
    return Sle;
  case Ugt:
    return Sgt;
  case Uge:
    return Sge;
  default:
    return predicate;
  }
}

int64_t floorDivide(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

/// Interval of indices of dimension `d` at which base + stride * index < 0.
void solveNegative(const Linear &f, int d, int64_t size, int64_t &low, int64_t &high) {
  int64_t stride = f.stride[d];
  if (stride > 0) {
    // index < -base / stride
    low = 0;
    high = std::clamp<int64_t>(-floorDivide(f.base, stride), 0, size);
  } else {
    // index > base / -stride
    low = std::clamp<int64_t>(floorDivide(f.base, -stride) + 1, 0, size);
    high = size;
  }
}

void setInterval(Value &value, const Shape &shape, int d, int64_t low, int64_t high) {
  int32_t lows[maxSymbolicRank], highs[maxSymbolicRank];
  for (int k = 0; k < shape.rank(); ++k) {
    lows[k] = 0;
    highs[k] = static_cast<int32_t>(shape.dims[k]);
  }
  lows[d] = static_cast<int32_t>(low);
  highs[d] = static_cast<int32_t>(high);
  setBox(value, shape, lows, highs);
}

bool compare(Instance &s, const Instr &i) {
  const Shape &shape = s.shape(s.resultSlot(i));
  DType type = s.type(s.operandSlot(i, 0));
  Linear a, b;
  if (!toLinear(s.operand(i, 0), type, shape, a) || !toLinear(s.operand(i, 1), type, shape, b))
    return false;
  auto predicate = static_cast<Predicate>(i.attribute);
  if (Predicate same = asSigned(predicate); same != predicate) {
    int64_t lowA, highA, lowB, highB;
    if (!extremes(a, shape, lowA, highA) || !extremes(b, shape, lowB, highB) || lowA < 0 || lowB < 0)
      return false;
    predicate = same;
  }
  // a < b as a - b < 0, a <= b as a - b - 1 < 0, and so on.
  if (predicate == Sgt || predicate == Sge)
    std::swap(a, b);
  int64_t one = predicate == Sle || predicate == Sge ? 1 : 0;
  Linear f = a;
  if (__builtin_sub_overflow(a.base, b.base, &f.base) || __builtin_sub_overflow(f.base, one, &f.base))
    return false;
  for (int d = 0; d < a.rank; ++d)
    if (__builtin_sub_overflow(a.stride[d], b.stride[d], &f.stride[d]))
      return false;
  int64_t low, high;
  if (!extremes(f, shape, low, high))
    return false;
  Value &result = s.result(i);
  bool equality = predicate == Eq || predicate == Ne;
  if (equality) {
    if (low > 0 || high < 0) {
      result.setSplat(predicate == Ne);
      return true;
    }
    if (low == 0 && high == 0) {
      result.setSplat(predicate == Eq);
      return true;
    }
  } else if (high < 0 || low >= 0) {
    result.setSplat(high < 0);
    return true;
  }
  int d = f.onlyDimension();
  if (d < 0)
    return false;
  int64_t from, to;
  if (!equality) {
    solveNegative(f, d, shape.dims[d], from, to);
    setInterval(result, shape, d, from, to);
    return true;
  }
  bool hit = f.base % f.stride[d] == 0;
  int64_t at = -(f.base / f.stride[d]);
  hit = hit && at >= 0 && at < shape.dims[d];
  if (!hit) {
    result.setSplat(predicate == Ne);
    return true;
  }
  if (predicate == Eq) {
    setInterval(result, shape, d, at, at + 1);
    return true;
  }
  if (at == 0)
    setInterval(result, shape, d, 1, shape.dims[d]);
  else if (at == shape.dims[d] - 1)
    setInterval(result, shape, d, 0, at);
  else
    return false;
  return true;
}

/// i1 and, or, xor.
bool masks(Instance &s, const Instr &i) {
  Value &a = s.operand(i, 0);
  Value &b = s.operand(i, 1);
  Value &result = s.result(i);
  const Shape &shape = s.shape(s.resultSlot(i));
  if (a.isSplat() && b.isSplat()) {
    uint64_t x = a.base & 1, y = b.base & 1;
    result.setSplat(i.op == OpId::arith_andi ? x & y : i.op == OpId::arith_ori ? x | y : x ^ y);
    return true;
  }
  if (a.isSplat() || b.isSplat()) {
    bool known = a.isSplat() ? a.base & 1 : b.base & 1;
    Value &other = a.isSplat() ? b : a;
    if (i.op == OpId::arith_xori && known) {
      if (other.form != Form::Box)
        return false;
      // The complement of a box is a box if one dimension is cut at one end only.
      int cut = -1;
      for (int d = 0; d < shape.rank(); ++d)
        if (other.box.low[d] != 0 || other.box.high[d] != shape.dims[d]) {
          if (cut >= 0)
            return false;
          cut = d;
        }
      int32_t low = other.box.low[cut], high = other.box.high[cut];
      if (low != 0 && high != shape.dims[cut])
        return false;
      if (low == 0)
        setInterval(result, shape, cut, high, shape.dims[cut]);
      else
        setInterval(result, shape, cut, 0, low);
      return true;
    }
    bool decides = i.op == OpId::arith_andi ? !known : i.op == OpId::arith_ori ? known : false;
    if (decides) {
      result.setSplat(known);
    } else {
      Value kept = other;
      result = std::move(kept);
    }
    return true;
  }
  if (a.form != Form::Box || b.form != Form::Box)
    return false;
  bool aInB = true, bInA = true;
  int32_t lows[maxSymbolicRank], highs[maxSymbolicRank];
  for (int d = 0; d < shape.rank(); ++d) {
    lows[d] = std::max(a.box.low[d], b.box.low[d]);
    highs[d] = std::min(a.box.high[d], b.box.high[d]);
    aInB &= lows[d] == a.box.low[d] && highs[d] == a.box.high[d];
    bInA &= lows[d] == b.box.low[d] && highs[d] == b.box.high[d];
  }
  if (i.op == OpId::arith_andi) {
    setBox(result, shape, lows, highs);
    return true;
  }
  if (aInB && bInA) {
    if (i.op == OpId::arith_xori) {
      result.setSplat(0);
    } else {
      Value kept = a;
      result = std::move(kept);
    }
    return true;
  }
  if (i.op == OpId::arith_ori && (aInB || bInA)) {
    Value kept = aInB ? b : a;
    result = std::move(kept);
    return true;
  }
  return false;
}

bool finish(Instance &s, const Instr &i, const Linear &linear, bool check) {
  SlotId slot = s.resultSlot(i);
  if (check && !fits(linear, s.shape(slot), s.type(slot)))
    return false;
  fromLinear(linear, s.type(slot), s.slot(slot));
  return true;
}

bool sum(Instance &s, const Instr &i, int64_t scaleB) {
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  Linear a, b;
  if (!toLinear(s.operand(i, 0), s.type(s.operandSlot(i, 0)), shape, a) ||
      !toLinear(s.operand(i, 1), s.type(s.operandSlot(i, 1)), shape, b))
    return false;
  bool uniform = a.uniform() && b.uniform();
  if (i.op == OpId::tt_addptr || uniform) { // addresses and scalars wrap around as they are
    a.base = int64_t(uint64_t(a.base) + uint64_t(b.base) * uint64_t(scaleB));
    for (int d = 0; d < a.rank; ++d)
      a.stride[d] = int64_t(uint64_t(a.stride[d]) + uint64_t(b.stride[d]) * uint64_t(scaleB));
    return finish(s, i, a, false);
  }
  bool overflow = scaleB > 0 ? __builtin_add_overflow(a.base, b.base, &a.base)
                             : __builtin_sub_overflow(a.base, b.base, &a.base);
  for (int d = 0; d < a.rank; ++d)
    overflow |= scaleB > 0 ? __builtin_add_overflow(a.stride[d], b.stride[d], &a.stride[d])
                           : __builtin_sub_overflow(a.stride[d], b.stride[d], &a.stride[d]);
  return !overflow && finish(s, i, a, true);
}

bool product(Instance &s, const Instr &i) {
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  Linear a, b;
  if (!toLinear(s.operand(i, 0), type, shape, a) || !toLinear(s.operand(i, 1), type, shape, b))
    return false;
  if (!b.uniform())
    std::swap(a, b);
  if (!b.uniform())
    return false;
  if (i.op == OpId::arith_shli) {
    if (!s.operand(i, 1).isSplat())
      return false;
    int64_t count = signedBits(s.operand(i, 1).base, type);
    if (count < 0 || count >= bitWidth(type) || count > 62)
      return false;
    if (!toLinear(s.operand(i, 0), type, shape, a))
      return false;
    b.base = int64_t(1) << count;
  }
  if (a.uniform()) {
    a.base = int64_t(uint64_t(a.base) * uint64_t(b.base));
    return finish(s, i, a, false);
  }
  bool overflow = __builtin_mul_overflow(a.base, b.base, &a.base);
  for (int d = 0; d < a.rank; ++d)
    overflow |= __builtin_mul_overflow(a.stride[d], b.base, &a.stride[d]);
  return !overflow && finish(s, i, a, true);
}

/// Division, remainder and right shift by a scalar: structure survives when all elements have the same
/// quotient.
bool quotient(Instance &s, const Instr &i) {
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  Linear a;
  if (!s.operand(i, 1).isSplat() || !toLinear(s.operand(i, 0), type, shape, a))
    return false;
  int64_t divisor = signedBits(s.operand(i, 1).base, type);
  int64_t low, high;
  if (!extremes(a, shape, low, high) || low < 0)
    return false;
  bool remainder = i.op == OpId::arith_remsi || i.op == OpId::arith_remui || i.op == OpId::arith_andi;
  if (i.op == OpId::arith_shrsi || i.op == OpId::arith_shrui) {
    if (divisor < 0 || divisor >= bitWidth(type) || divisor > 62)
      return false;
    divisor = int64_t(1) << divisor;
  } else if (i.op == OpId::arith_andi) {
    if (divisor < 0 || (divisor & (divisor + 1)) || divisor == INT64_MAX)
      return false;
    divisor += 1;
  }
  if (divisor <= 0 || low / divisor != high / divisor)
    return false;
  if (!remainder) {
    Linear q;
    q.base = low / divisor;
    return finish(s, i, q, false);
  }
  a.base -= low / divisor * divisor;
  return finish(s, i, a, false);
}

bool extremum(Instance &s, const Instr &i, bool smaller) {
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  Linear a, b;
  int64_t lowA, highA, lowB, highB;
  if (!toLinear(s.operand(i, 0), type, shape, a) || !toLinear(s.operand(i, 1), type, shape, b) ||
      !extremes(a, shape, lowA, highA) || !extremes(b, shape, lowB, highB))
    return false;
  bool isUnsigned = i.op == OpId::arith_minui || i.op == OpId::arith_maxui;
  if (isUnsigned && (lowA < 0 || lowB < 0))
    return false;
  if (highA <= lowB)
    return finish(s, i, smaller ? a : b, false);
  if (highB <= lowA)
    return finish(s, i, smaller ? b : a, false);
  return false;
}

bool convert(Instance &s, const Instr &i) {
  SlotId from = s.operandSlot(i, 0), to = s.resultSlot(i);
  if (s.type(from) == DType::I1 || s.type(to) == DType::I1)
    return false;
  const Shape &shape = s.shape(to);
  Linear a;
  if (!toLinear(s.operand(i, 0), s.type(from), shape, a))
    return false;
  if (i.op == OpId::arith_extui || i.op == OpId::arith_index_castui) {
    int64_t low, high;
    if (!extremes(a, shape, low, high) || low < 0)
      return false;
  }
  return finish(s, i, a, i.op == OpId::arith_trunci || i.op == OpId::arith_index_cast);
}

bool select(Instance &s, const Instr &i) {
  const Value &condition = s.operand(i, 0);
  if (!condition.isSplat())
    return false;
  Value chosen = s.operand(i, condition.isTrue() ? 1 : 2);
  s.result(i) = std::move(chosen);
  return true;
}

bool sameBits(Instance &s, const Instr &i) {
  SlotId from = s.operandSlot(i, 0), to = s.resultSlot(i);
  if (byteSize(s.type(from)) != byteSize(s.type(to)))
    return false;
  bool addresses = s.type(from) == DType::Ptr || s.type(to) == DType::Ptr;
  if (s.operand(i, 0).form == Form::Affine && !addresses && s.type(from) != s.type(to))
    return false;
  if (s.operand(i, 0).form == Form::Box)
    return false;
  Value kept = s.operand(i, 0);
  s.result(i) = std::move(kept);
  return true;
}

/// One element stands for all: run the kernel once.
bool scalar(Instance &s, const Instr &i) {
  if (i.numOperands > 4)
    return false;
  Strip strips[4];
  for (unsigned n = 0; n < i.numOperands; ++n) {
    const Value &operand = s.operand(i, n);
    if (!operand.isSplat())
      return false;
    strips[n] = {&operand.base, true};
  }
  alignas(64) uint64_t bits[8] = {};
  i.kernel[s.numerics](bits, strips, 1, i.attribute);
  DType type = s.type(s.resultSlot(i));
  s.result(i).setSplat(byteSize(type) == 8 ? bits[0] : bits[0] & ((uint64_t(1) << 8 * byteSize(type)) - 1));
  return true;
}

} // namespace

void setBox(Value &value, const Shape &shape, const int32_t *low, const int32_t *high) {
  bool full = true, empty = false;
  for (int d = 0; d < shape.rank(); ++d) {
    full &= low[d] == 0 && high[d] == shape.dims[d];
    empty |= low[d] >= high[d];
  }
  if (full || empty) {
    value.setSplat(full && !empty);
    return;
  }
  int32_t lows[maxSymbolicRank], highs[maxSymbolicRank];
  std::copy(low, low + shape.rank(), lows);
  std::copy(high, high + shape.rank(), highs);
  value.drop();
  value.form = Form::Box;
  std::copy(lows, lows + shape.rank(), value.box.low);
  std::copy(highs, highs + shape.rank(), value.box.high);
}

bool symbolic(Instance &s, const Instr &i) {
  bool done = false;
  DType type = s.type(s.resultSlot(i));
  // Scalars and blocks of equal elements have rank 0 rules too; regions run over lanes without a shape.
  bool shaped = !(i.flags & FlagLanes) && s.shape(s.resultSlot(i)).rank() <= maxSymbolicRank;
  if (shaped)
    switch (i.op) {
    case OpId::arith_addi:
      done = type != DType::I1 && type != DType::I4 && sum(s, i, 1);
      break;
    case OpId::arith_subi:
      done = type != DType::I1 && type != DType::I4 && sum(s, i, -1);
      break;
    case OpId::tt_addptr:
      done = sum(s, i, static_cast<int64_t>(i.attribute));
      break;
    case OpId::arith_muli:
    case OpId::arith_shli:
      done = type != DType::I1 && type != DType::I4 && product(s, i);
      break;
    case OpId::arith_divsi:
    case OpId::arith_divui:
    case OpId::arith_remsi:
    case OpId::arith_remui:
    case OpId::arith_shrsi:
    case OpId::arith_shrui:
      done = type != DType::I1 && type != DType::I4 && quotient(s, i);
      break;
    case OpId::arith_andi:
      done = type == DType::I1 ? masks(s, i) : type != DType::I4 && quotient(s, i);
      break;
    case OpId::arith_ori:
    case OpId::arith_xori:
      done = type == DType::I1 && masks(s, i);
      break;
    case OpId::arith_cmpi:
      done = s.type(s.operandSlot(i, 0)) != DType::I1 && compare(s, i);
      break;
    case OpId::arith_minsi:
    case OpId::arith_minui:
      done = type != DType::I1 && extremum(s, i, true);
      break;
    case OpId::arith_maxsi:
    case OpId::arith_maxui:
      done = type != DType::I1 && extremum(s, i, false);
      break;
    case OpId::arith_extsi:
    case OpId::arith_extui:
    case OpId::arith_trunci:
    case OpId::arith_index_cast:
    case OpId::arith_index_castui:
      done = convert(s, i);
      break;
    default:
      break;
    }
  if (done)
    return true;
  switch (i.op) {
  case OpId::arith_select:
    if (select(s, i))
      return true;
    break;
  case OpId::tt_int_to_ptr:
  case OpId::tt_ptr_to_int:
  case OpId::tt_bitcast:
  case OpId::arith_bitcast:
    if (sameBits(s, i))
      return true;
    break;
  default:
    break;
  }
  return scalar(s, i);
}

} // namespace trisect::interp
