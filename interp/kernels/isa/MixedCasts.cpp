//===- MixedCasts.cpp - kernels between integers and floats ---------------------------------------------===//
#include "interp/kernels/CastOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType F, DType I> void addPair(Registry &r) {
  r.add(OpId::arith_sitofp, I, F, runUnary<IntToFloatOp<F, I, true>>);
  r.add(OpId::arith_uitofp, I, F, runUnary<IntToFloatOp<F, I, false>>);
  r.add(OpId::arith_fptosi, F, I, runUnary<FloatToIntOp<I, F, true>>);
  r.add(OpId::arith_fptoui, F, I, runUnary<FloatToIntOp<I, F, false>>);
}
template <DType F> void addFloat(Registry &r) {
  addPair<F, DType::I1>(r);
  addPair<F, DType::I8>(r);
  addPair<F, DType::I16>(r);
  addPair<F, DType::I32>(r);
  addPair<F, DType::I64>(r);
}
} // namespace

void addMixedCasts(Registry &r) {
  addFloat<DType::F16>(r);
  addFloat<DType::BF16>(r);
  addFloat<DType::F32>(r);
  addFloat<DType::F64>(r);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
