//===- CompareOps.h - comparisons by a few primitive relations ------------------------------------------===//
//
// What: the predicates of cmpi and cmpf (MLIR's numbers) as a primitive relation, perhaps with operands
// swapped and the answer inverted. Why: 10 and 16 predicates would mean as many loops for each type and
// pattern of splats; a swap costs nothing and an inversion one instruction.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_COMPAREOPS_H
#define TRISECT_INTERP_KERNELS_COMPAREOPS_H

#include "core/support/Enums.h"
#include "interp/kernels/Loops.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

struct EqualI {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return widen<T>(a) == widen<T>(b);
  }
};
struct LessS {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return Element<T>::asSigned(a) < Element<T>::asSigned(b);
  }
};
struct LessU {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return widen<T>(a) < widen<T>(b);
  }
};
struct OrderedEqual {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return widen<T>(a) == widen<T>(b);
  }
};
struct OrderedLess {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return widen<T>(a) < widen<T>(b);
  }
};
struct OrderedLessEqual {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return widen<T>(a) <= widen<T>(b);
  }
};
struct OrderedNotEqual {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    const auto x = widen<T>(a), y = widen<T>(b);
    return bool(int(x < y) | int(y < x));
  }
};
struct Ordered {
  template <DType T> TRISECT_INLINE static bool holds(Storage<T> a, Storage<T> b) {
    return bool(int(!isNan(widen<T>(a))) & int(!isNan(widen<T>(b))));
  }
};

template <DType T, class Relation> struct CompareOp {
  using Result = uint8_t;
  using First = Storage<T>;
  using Second = Storage<T>;
  explicit CompareOp(uint64_t attribute) : inverted(static_cast<uint8_t>(attribute)) {}
  TRISECT_INLINE uint8_t operator()(First a, Second b) const {
    return static_cast<uint8_t>(Relation::template holds<T>(a, b)) ^ inverted;
  }
  uint8_t inverted;
};

template <DType T, class Relation>
void compare(void *result, const Strip *operands, int64_t n, bool swapped, bool inverted) {
  const Strip ordered[2] = {operands[swapped ? 1 : 0], operands[swapped ? 0 : 1]};
  runBinary<CompareOp<T, Relation>>(result, ordered, n, inverted);
}

template <DType T> void runCmpI(void *result, const Strip *operands, int64_t n, uint64_t predicate) {
  using enum attr::CmpI;
  const auto test = static_cast<attr::CmpI>(predicate);
  switch (test) {
  case Eq:
  case Ne:
    return compare<T, EqualI>(result, operands, n, false, test == Ne);
  case Slt:
  case Sge:
    return compare<T, LessS>(result, operands, n, false, test == Sge);
  case Sle:
  case Sgt:
    return compare<T, LessS>(result, operands, n, true, test == Sle);
  case Ult:
  case Uge:
    return compare<T, LessU>(result, operands, n, false, test == Uge);
  case Ule:
  case Ugt:
    return compare<T, LessU>(result, operands, n, true, test == Ule);
  }
}

template <DType T> void runCmpF(void *result, const Strip *operands, int64_t n, uint64_t predicate) {
  using enum attr::CmpF;
  const auto test = static_cast<attr::CmpF>(predicate);
  switch (test) {
  case AlwaysFalse:
  case AlwaysTrue:
    return fill(static_cast<uint8_t *>(result), uint8_t(test == AlwaysTrue), n);
  case OEQ:
  case UNE:
    return compare<T, OrderedEqual>(result, operands, n, false, test == UNE);
  case OLT:
  case UGE:
    return compare<T, OrderedLess>(result, operands, n, false, test == UGE);
  case OGT:
  case ULE:
    return compare<T, OrderedLess>(result, operands, n, true, test == ULE);
  case OLE:
  case UGT:
    return compare<T, OrderedLessEqual>(result, operands, n, false, test == UGT);
  case OGE:
  case ULT:
    return compare<T, OrderedLessEqual>(result, operands, n, true, test == ULT);
  case ONE:
  case UEQ:
    return compare<T, OrderedNotEqual>(result, operands, n, false, test == UEQ);
  case ORD:
  case UNO:
    return compare<T, Ordered>(result, operands, n, false, test == UNO);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_COMPAREOPS_H
