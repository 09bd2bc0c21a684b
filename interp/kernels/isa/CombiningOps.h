//===- CombiningOps.h - the ops that a reduction or a scan has a kernel for -----------------------------===//
//
// What: eachCombiningOp() visits the ops that combine two elements into one, type by type. Why: reductions
// and scans know the same ones; any other region is run op by op.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_ISA_COMBININGOPS_H
#define TRISECT_INTERP_KERNELS_ISA_COMBININGOPS_H

#include "interp/kernels/FloatOps.h"
#include "interp/kernels/IntegerOps.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

template <DType T, class Visit> void eachCombiningInteger(Visit visit) {
  visit.template operator()<UnsignedOp<T, AddI>>(OpId::arith_addi, T);
  visit.template operator()<UnsignedOp<T, MulI>>(OpId::arith_muli, T);
  visit.template operator()<UnsignedOp<T, AndI>>(OpId::arith_andi, T);
  visit.template operator()<UnsignedOp<T, OrI>>(OpId::arith_ori, T);
  visit.template operator()<UnsignedOp<T, XorI>>(OpId::arith_xori, T);
  visit.template operator()<SignedOp<T, MinS>>(OpId::arith_minsi, T);
  visit.template operator()<SignedOp<T, MaxS>>(OpId::arith_maxsi, T);
  visit.template operator()<UnsignedOp<T, MinU>>(OpId::arith_minui, T);
  visit.template operator()<UnsignedOp<T, MaxU>>(OpId::arith_maxui, T);
}

template <DType T, class Visit> void eachCombiningFloat(Visit visit) {
  visit.template operator()<Binary<AddF, T, T>>(OpId::arith_addf, T);
  if constexpr (T == DType::BF16)
    visit.template operator()<MulBf16Op>(OpId::arith_mulf, T);
  else
    visit.template operator()<Binary<MulF, T, T>>(OpId::arith_mulf, T);
  visit.template operator()<Binary<MinimumF, T, T>>(OpId::arith_minimumf, T);
  visit.template operator()<Binary<MaximumF, T, T>>(OpId::arith_maximumf, T);
  visit.template operator()<Binary<MinNumF, T, T>>(OpId::arith_minnumf, T);
  visit.template operator()<Binary<MaxNumF, T, T>>(OpId::arith_maxnumf, T);
}

/// Calls visit<Op>(id, type) for each op on each type that it combines.
template <class Visit> void eachCombiningOp(Visit visit) {
  eachCombiningInteger<DType::I1>(visit);
  eachCombiningInteger<DType::I8>(visit);
  eachCombiningInteger<DType::I16>(visit);
  eachCombiningInteger<DType::I32>(visit);
  eachCombiningInteger<DType::I64>(visit);
  eachCombiningFloat<DType::F16>(visit);
  eachCombiningFloat<DType::BF16>(visit);
  eachCombiningFloat<DType::F32>(visit);
  eachCombiningFloat<DType::F64>(visit);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_ISA_COMBININGOPS_H
