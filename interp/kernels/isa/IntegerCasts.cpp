//===- IntegerCasts.cpp - kernels between integer types -------------------------------------------------===//
#include "interp/kernels/CastOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
template <DType Narrow, DType Wide> void addPair(Registry &r) {
  r.add(OpId::arith_extsi, Narrow, Wide, runUnary<IntegerCastOp<Wide, Narrow, true>>);
  r.add(OpId::arith_extui, Narrow, Wide, runUnary<IntegerCastOp<Wide, Narrow, false>>);
  r.add(OpId::arith_trunci, Wide, Narrow, runUnary<IntegerCastOp<Narrow, Wide, false>>);
  r.add(OpId::arith_index_cast, Narrow, Wide, runUnary<IntegerCastOp<Wide, Narrow, true>>);
  r.add(OpId::arith_index_castui, Narrow, Wide, runUnary<IntegerCastOp<Wide, Narrow, false>>);
  r.add(OpId::arith_index_cast, Wide, Narrow, runUnary<IntegerCastOp<Narrow, Wide, false>>);
  r.add(OpId::arith_index_castui, Wide, Narrow, runUnary<IntegerCastOp<Narrow, Wide, false>>);
}
template <DType Narrow, DType... Wider> void addWider(Registry &r) { (addPair<Narrow, Wider>(r), ...); }
} // namespace

void addIntegerCasts(Registry &r) {
  addWider<DType::I1, DType::I4, DType::I8, DType::I16, DType::I32, DType::I64>(r);
  addWider<DType::I4, DType::I8, DType::I16, DType::I32, DType::I64>(r);
  addWider<DType::I8, DType::I16, DType::I32, DType::I64>(r);
  addWider<DType::I16, DType::I32, DType::I64>(r);
  addWider<DType::I32, DType::I64>(r);
  // An index is an I64 here.
  r.add(OpId::arith_index_cast, DType::I64, DType::I64,
        runUnary<IntegerCastOp<DType::I64, DType::I64, false>>);
  r.add(OpId::arith_index_castui, DType::I64, DType::I64,
        runUnary<IntegerCastOp<DType::I64, DType::I64, false>>);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
