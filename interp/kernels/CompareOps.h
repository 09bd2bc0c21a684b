//===- CompareOps.h - comparisons by a few primitive relations ------------------------------------------===//
//
// What: the predicates of cmpi and cmpf (MLIR's numbers) as a primitive relation, perhaps with operands
// swapped and the answer inverted. Why: 10 and 16 predicates would mean as many loops for each type and
// pattern of splats; a swap costs nothing and an inversion one instruction.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_COMPAREOPS_H
#define TRISECT_INTERP_KERNELS_COMPAREOPS_H

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
  switch (predicate) {
  case 0: // eq
  case 1: // ne
    return compare<T, EqualI>(result, operands, n, false, predicate == 1);
  case 2: // slt
  case 5: // sge
    return compare<T, LessS>(result, operands, n, false, predicate == 5);
  case 3: // sle
  case 4: // sgt
    return compare<T, LessS>(result, operands, n, true, predicate == 3);
  case 6: // ult
  case 9: // uge
    return compare<T, LessU>(result, operands, n, false, predicate == 9);
  default: // ule 7, ugt 8
    return compare<T, LessU>(result, operands, n, true, predicate == 7);
  }
}

template <DType T> void runCmpF(void *result, const Strip *operands, int64_t n, uint64_t predicate) {
  auto *r = static_cast<uint8_t *>(result);
  switch (predicate) {
  case 0:  // false
  case 15: // true
    return fill(r, uint8_t(predicate == 15), n);
  case 1:  // oeq
  case 13: // une
    return compare<T, OrderedEqual>(result, operands, n, false, predicate == 13);
  case 4:  // olt
  case 10: // uge
    return compare<T, OrderedLess>(result, operands, n, false, predicate == 10);
  case 2:  // ogt
  case 12: // ule
    return compare<T, OrderedLess>(result, operands, n, true, predicate == 12);
  case 5: // ole
  case 9: // ugt
    return compare<T, OrderedLessEqual>(result, operands, n, false, predicate == 9);
  case 3:  // oge
  case 11: // ult
    return compare<T, OrderedLessEqual>(result, operands, n, true, predicate == 11);
  case 6: // one
  case 8: // ueq
    return compare<T, OrderedNotEqual>(result, operands, n, false, predicate == 8);
  default: // ord 7, uno 14
    return compare<T, Ordered>(result, operands, n, false, predicate == 14);
  }
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_COMPAREOPS_H
