//===- IntegerArith.cpp - kernels of integer arithmetic -------------------------------------------------===//
#include "interp/kernels/IntegerOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
struct CeilDivU {
  template <class U> TRISECT_INLINE static U apply(U a, U b, U) {
    const bool up = b != 0 && remainderUnsigned(a, b) != 0;
    return U(divideUnsigned(a, b) + U(up));
  }
};

template <DType T> void addType(Registry &r) {
  r.add(OpId::arith_addi, T, T, runBinary<UnsignedOp<T, AddI>>);
  r.add(OpId::arith_subi, T, T, runBinary<UnsignedOp<T, SubI>>);
  r.add(OpId::arith_muli, T, T, runBinary<UnsignedOp<T, MulI>>);
  r.add(OpId::arith_divsi, T, T, runBinary<SignedOp<T, DivS>>);
  r.add(OpId::arith_divui, T, T, runBinary<UnsignedOp<T, DivU>>);
  r.add(OpId::arith_remsi, T, T, runBinary<SignedOp<T, RemS>>);
  r.add(OpId::arith_remui, T, T, runBinary<UnsignedOp<T, RemU>>);
  r.add(OpId::arith_ceildivsi, T, T, runBinarySpread<SignedOp<T, CeilDivS>>);
  r.add(OpId::arith_ceildivui, T, T, runBinarySpread<UnsignedOp<T, CeilDivU>>);
  r.add(OpId::arith_floordivsi, T, T, runBinarySpread<SignedOp<T, FloorDivS>>);
  r.add(OpId::arith_minsi, T, T, runBinary<SignedOp<T, MinS>>);
  r.add(OpId::arith_maxsi, T, T, runBinary<SignedOp<T, MaxS>>);
  r.add(OpId::arith_minui, T, T, runBinary<UnsignedOp<T, MinU>>);
  r.add(OpId::arith_maxui, T, T, runBinary<UnsignedOp<T, MaxU>>);
  r.add(OpId::math_absi, T, T, runUnary<AbsIOp<T>>);
  r.add(OpId::tt_mulhiui, T, T, runBinary<UnsignedOp<T, MulHiU>>);
}
} // namespace

void addIntegerArith(Registry &registry) {
  addType<DType::I1>(registry);
  addType<DType::I4>(registry);
  addType<DType::I8>(registry);
  addType<DType::I16>(registry);
  addType<DType::I32>(registry);
  addType<DType::I64>(registry);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
