//===- Reduce.cpp - kernels of reductions with one known op ---------------------------------------------===//
#include "interp/kernels/FloatOps.h"
#include "interp/kernels/IntegerOps.h"
#include "interp/kernels/ReduceLoops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType T> void addInteger(Registry &r) {
  r.addReduce(OpId::arith_addi, T, runReduce<UnsignedOp<T, AddI>>);
  r.addReduce(OpId::arith_muli, T, runReduce<UnsignedOp<T, MulI>>);
  r.addReduce(OpId::arith_andi, T, runReduce<UnsignedOp<T, AndI>>);
  r.addReduce(OpId::arith_ori, T, runReduce<UnsignedOp<T, OrI>>);
  r.addReduce(OpId::arith_xori, T, runReduce<UnsignedOp<T, XorI>>);
  r.addReduce(OpId::arith_minsi, T, runReduce<SignedOp<T, MinS>>);
  r.addReduce(OpId::arith_maxsi, T, runReduce<SignedOp<T, MaxS>>);
  r.addReduce(OpId::arith_minui, T, runReduce<UnsignedOp<T, MinU>>);
  r.addReduce(OpId::arith_maxui, T, runReduce<UnsignedOp<T, MaxU>>);
}
template <DType T> void addFloat(Registry &r) {
  r.addReduce(OpId::arith_addf, T, runReduce<Binary<AddF, T, T>>);
  if constexpr (T == DType::BF16)
    r.addReduce(OpId::arith_mulf, T, runReduce<MulBf16Op>);
  else
    r.addReduce(OpId::arith_mulf, T, runReduce<Binary<MulF, T, T>>);
  r.addReduce(OpId::arith_minimumf, T, runReduce<Binary<MinimumF, T, T>>);
  r.addReduce(OpId::arith_maximumf, T, runReduce<Binary<MaximumF, T, T>>);
  r.addReduce(OpId::arith_minnumf, T, runReduce<Binary<MinNumF, T, T>>);
  r.addReduce(OpId::arith_maxnumf, T, runReduce<Binary<MaxNumF, T, T>>);
}
} // namespace

void addReduce(Registry &registry) {
  addInteger<DType::I1>(registry);
  addInteger<DType::I8>(registry);
  addInteger<DType::I16>(registry);
  addInteger<DType::I32>(registry);
  addInteger<DType::I64>(registry);
  addFloat<DType::F16>(registry);
  addFloat<DType::BF16>(registry);
  addFloat<DType::F32>(registry);
  addFloat<DType::F64>(registry);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
