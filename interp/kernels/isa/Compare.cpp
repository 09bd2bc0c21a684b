//===- Compare.cpp - kernels of cmpi and cmpf -----------------------------------------------------------===//
#include "interp/kernels/CompareOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

void addCompare(Registry &r) {
  r.add(OpId::arith_cmpi, DType::I1, DType::I1, runCmpI<DType::I1>);
  r.add(OpId::arith_cmpi, DType::I4, DType::I1, runCmpI<DType::I4>);
  r.add(OpId::arith_cmpi, DType::I8, DType::I1, runCmpI<DType::I8>);
  r.add(OpId::arith_cmpi, DType::I16, DType::I1, runCmpI<DType::I16>);
  r.add(OpId::arith_cmpi, DType::I32, DType::I1, runCmpI<DType::I32>);
  r.add(OpId::arith_cmpi, DType::I64, DType::I1, runCmpI<DType::I64>);
  r.add(OpId::arith_cmpf, DType::F8E5M2, DType::I1, runCmpF<DType::F8E5M2>);
  r.add(OpId::arith_cmpf, DType::F8E4M3FN, DType::I1, runCmpF<DType::F8E4M3FN>);
  r.add(OpId::arith_cmpf, DType::F8E5M2FNUZ, DType::I1, runCmpF<DType::F8E5M2FNUZ>);
  r.add(OpId::arith_cmpf, DType::F8E4M3FNUZ, DType::I1, runCmpF<DType::F8E4M3FNUZ>);
  r.add(OpId::arith_cmpf, DType::F16, DType::I1, runCmpF<DType::F16>);
  r.add(OpId::arith_cmpf, DType::BF16, DType::I1, runCmpF<DType::BF16>);
  r.add(OpId::arith_cmpf, DType::F32, DType::I1, runCmpF<DType::F32>);
  r.add(OpId::arith_cmpf, DType::F64, DType::I1, runCmpF<DType::F64>);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
