//===- FloatArith.cpp - kernels of exact and correctly rounded float operations -------------------------===//
//
// Limits: approximate division is the correctly rounded one here, which its tolerance allows.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/FloatOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType T> void addType(Registry &r) {
  r.add(OpId::arith_addf, T, T, runBinary<Binary<AddF, T, T>>);
  r.add(OpId::arith_subf, T, T, runBinary<Binary<SubF, T, T>>);
  r.add(OpId::arith_minimumf, T, T, runBinary<Binary<MinimumF, T, T>>);
  r.add(OpId::arith_maximumf, T, T, runBinary<Binary<MaximumF, T, T>>);
  r.add(OpId::arith_minnumf, T, T, runBinary<Binary<MinNumF, T, T>>);
  r.add(OpId::arith_maxnumf, T, T, runBinary<Binary<MaxNumF, T, T>>);
  r.add(OpId::arith_negf, T, T, runUnary<NegFOp<T>>);
  r.add(OpId::math_absf, T, T, runUnary<AbsFOp<T>>);
  if constexpr (T == DType::BF16) {
    r.add(OpId::arith_mulf, T, T, runBinary<MulBf16Op>);
    for (OpId op : {OpId::arith_divf, OpId::tt_precise_divf, OpId::tt_approx_divf})
      r.add(op, T, T, runBinary<DivBf16Op>);
  } else {
    r.add(OpId::arith_mulf, T, T, runBinary<Binary<MulF, T, T>>);
    for (OpId op : {OpId::arith_divf, OpId::tt_precise_divf, OpId::tt_approx_divf})
      r.add(op, T, T, runBinary<Binary<DivF, T, T>>);
  }
}

template <DType T> void addWideType(Registry &r) {
  addType<T>(r);
  r.add(OpId::math_copysign, T, T, runBinary<CopySignOp<T>>);
  r.add(OpId::math_ceil, T, T, runUnary<Unary<CeilF, T, T>>);
  r.add(OpId::math_floor, T, T, runUnary<Unary<FloorF, T, T>>);
  r.add(OpId::math_trunc, T, T, runUnary<Unary<TruncF, T, T>>);
  r.add(OpId::math_round, T, T, runUnary<Unary<RoundF, T, T>>);
  r.add(OpId::math_roundeven, T, T, runUnary<Unary<RoundEvenF, T, T>>);
  r.add(OpId::math_sqrt, T, T, runUnary<Unary<SqrtF, T, T>>);
  r.add(OpId::tt_precise_sqrt, T, T, runUnary<Unary<SqrtF, T, T>>);
  r.add(OpId::math_fma, T, T, runTernary<FmaOp<T>>);
  r.add(OpId::tt_clampf, T, T, runTernary<ClampFOp<T>>);
}
} // namespace

void addFloatArith(Registry &registry) {
  addType<DType::F8E5M2>(registry);
  addType<DType::F8E4M3FN>(registry);
  addType<DType::F8E5M2FNUZ>(registry);
  addType<DType::F8E4M3FNUZ>(registry);
  addWideType<DType::F16>(registry);
  addWideType<DType::BF16>(registry);
  addWideType<DType::F32>(registry);
  addWideType<DType::F64>(registry);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
