//===- FloatCasts.cpp - kernels between float types -----------------------------------------------------===//
#include "core/support/Enums.h"
#include "interp/kernels/CastOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType R, DType A>
void runFpToFp(void *result, const Strip *operands, int64_t n, uint64_t rounding) {
  if (static_cast<attr::RoundingMode>(rounding) == attr::RoundingMode::TowardZero)
    return runUnary<FloatCastRtzOp<R, A>>(result, operands, n, 0);
  return runUnary<FloatCastOp<R, A>>(result, operands, n, 0);
}

template <DType R, DType A> void addPair(Registry &r) {
  if constexpr (R != A) {
    r.add(OpId::tt_fp_to_fp, A, R, runFpToFp<R, A>);
    if constexpr (sizeof(Storage<R>) > sizeof(Storage<A>))
      r.add(OpId::arith_extf, A, R, runUnary<FloatCastOp<R, A>>);
    if constexpr (sizeof(Storage<R>) < sizeof(Storage<A>))
      r.add(OpId::arith_truncf, A, R, runUnary<FloatCastOp<R, A>>);
  }
}
template <DType A> void addFrom(Registry &r) {
  addPair<DType::F8E5M2, A>(r);
  addPair<DType::F8E4M3FN, A>(r);
  addPair<DType::F8E5M2FNUZ, A>(r);
  addPair<DType::F8E4M3FNUZ, A>(r);
  addPair<DType::F16, A>(r);
  addPair<DType::BF16, A>(r);
  addPair<DType::F32, A>(r);
  addPair<DType::F64, A>(r);
}
} // namespace

void addFloatCasts(Registry &r) {
  addFrom<DType::F8E5M2>(r);
  addFrom<DType::F8E4M3FN>(r);
  addFrom<DType::F8E5M2FNUZ>(r);
  addFrom<DType::F8E4M3FNUZ>(r);
  addFrom<DType::F16>(r);
  addFrom<DType::BF16>(r);
  addFrom<DType::F32>(r);
  addFrom<DType::F64>(r);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
