//===- Scan.cpp - kernels of scans with one known op ----------------------------------------------------===//
//-----------------------------------------------------===//
#include "interp/kernels/FloatOps.h"
#include "interp/kernels/IntegerOps.h"
#include "interp/kernels/ScanLoops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType T> void addInteger(Registry &r) {
  r.addScan(OpId::arith_addi, T, runScan<UnsignedOp<T, AddI>>);
  r.addScan(OpId::arith_muli, T, runScan<UnsignedOp<T, MulI>>);
  r.addScan(OpId::arith_andi, T, runScan<UnsignedOp<T, AndI>>);
  r.addScan(OpId::arith_ori, T, runScan<UnsignedOp<T, OrI>>);
  r.addScan(OpId::arith_xori, T, runScan<UnsignedOp<T, XorI>>);
  r.addScan(OpId::arith_minsi, T, runScan<SignedOp<T, MinS>>);
  r.addScan(OpId::arith_maxsi, T, runScan<SignedOp<T, MaxS>>);
  r.addScan(OpId::arith_minui, T, runScan<UnsignedOp<T, MinU>>);
  r.addScan(OpId::arith_maxui, T, runScan<UnsignedOp<T, MaxU>>);
}
template <DType T> void addFloat(Registry &r) {
  r.addScan(OpId::arith_addf, T, runScan<Binary<AddF, T, T>>);
  if constexpr (T == DType::BF16)
    r.addScan(OpId::arith_mulf, T, runScan<MulBf16Op>);
  else
    r.addScan(OpId::arith_mulf, T, runScan<Binary<MulF, T, T>>);
  r.addScan(OpId::arith_minimumf, T, runScan<Binary<MinimumF, T, T>>);
  r.addScan(OpId::arith_maximumf, T, runScan<Binary<MaximumF, T, T>>);
  r.addScan(OpId::arith_minnumf, T, runScan<Binary<MinNumF, T, T>>);
  r.addScan(OpId::arith_maxnumf, T, runScan<Binary<MaxNumF, T, T>>);
}
} // namespace

void addScan(Registry &registry) {
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
