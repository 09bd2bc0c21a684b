//===- IntegerBits.cpp - kernels of bitwise operations, shifts and bit counts ---------------------------===//
#include "interp/kernels/IntegerOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType T> void addType(Registry &r) {
  r.add(OpId::arith_andi, T, T, runBinary<UnsignedOp<T, AndI>>);
  r.add(OpId::arith_ori, T, T, runBinary<UnsignedOp<T, OrI>>);
  r.add(OpId::arith_xori, T, T, runBinary<UnsignedOp<T, XorI>>);
  r.add(OpId::arith_shli, T, T, runBinary<UnsignedOp<T, ShlI>>);
  r.add(OpId::arith_shrsi, T, T, runBinary<ShrSOp<T>>);
  r.add(OpId::arith_shrui, T, T, runBinary<UnsignedOp<T, ShrU>>);
  r.add(OpId::math_ctlz, T, T, runUnary<CtlzOp<T>>);
  r.add(OpId::math_cttz, T, T, runUnary<CttzOp<T>>);
  r.add(OpId::math_ctpop, T, T, runUnary<CtpopOp<T>>);
}
} // namespace

void addIntegerBits(Registry &registry) {
  addType<DType::I1>(registry);
  addType<DType::I4>(registry);
  addType<DType::I8>(registry);
  addType<DType::I16>(registry);
  addType<DType::I32>(registry);
  addType<DType::I64>(registry);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
