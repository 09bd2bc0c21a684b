//===- ShadowOps.h - what shadow mode must know of elementwise operations -------------------------------===//
//
// What: by operation, whether taints of wrapped numbers and broken promises go through it, whether it may
// make an undefined element of defined ones, and whether it reads its integers as unsigned. Limits: the
// conditions that depend on an instruction's types or attribute stand where they are asked.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_SHADOWOPS_H
#define TRISECT_INTERP_SHADOW_SHADOWOPS_H

#include "core/support/OpTable.h"
#include <array>

namespace trisect::interp {

enum ShadowTrait : uint8_t {
  ReadsUnsigned = 1,
  Undefines = 2,
  CarriesWrap = 4,    ///< a wrapped element goes on being wrong
  CarriesPromise = 8, ///< a promise of an operand's structure is one of the result's
};

namespace shadow_ops {
struct Row {
  OpId op;
  uint8_t traits;
};
constexpr Row rows[] = {
    {OpId::tt_addptr, CarriesWrap | CarriesPromise},
    {OpId::tt_int_to_ptr, CarriesWrap | CarriesPromise},
    {OpId::tt_bitcast, CarriesWrap | CarriesPromise},
    {OpId::arith_addi, CarriesWrap | CarriesPromise},
    {OpId::arith_subi, CarriesWrap | CarriesPromise},
    {OpId::arith_muli, CarriesWrap | CarriesPromise},
    {OpId::arith_divsi, Undefines | CarriesWrap},
    {OpId::arith_divui, ReadsUnsigned | Undefines},
    {OpId::arith_remsi, Undefines},
    {OpId::arith_remui, ReadsUnsigned | Undefines},
    {OpId::arith_ceildivsi, Undefines | CarriesWrap},
    {OpId::arith_floordivsi, Undefines | CarriesWrap},
    {OpId::arith_shli, Undefines | CarriesWrap | CarriesPromise},
    {OpId::arith_shrsi, Undefines},
    {OpId::arith_shrui, ReadsUnsigned | Undefines},
    {OpId::arith_minsi, CarriesWrap},
    {OpId::arith_maxsi, CarriesWrap},
    {OpId::arith_minui, ReadsUnsigned},
    {OpId::arith_maxui, ReadsUnsigned},
    {OpId::arith_cmpi, CarriesWrap},
    {OpId::arith_select, CarriesWrap | CarriesPromise},
    {OpId::arith_extsi, CarriesWrap | CarriesPromise},
    {OpId::arith_extui, ReadsUnsigned | CarriesPromise},
    {OpId::arith_trunci, CarriesWrap | CarriesPromise},
    {OpId::arith_index_cast, CarriesWrap | CarriesPromise},
    {OpId::arith_index_castui, ReadsUnsigned},
    {OpId::tt_mulhiui, ReadsUnsigned},
    {OpId::arith_uitofp, ReadsUnsigned},
    {OpId::arith_fptosi, Undefines},
    {OpId::arith_fptoui, Undefines},
};

constexpr size_t opCount = 0
#define TRISECT_OP(id, mnemonic, cls, tolerance) +1
#include "core/ops.def"
    ;

constexpr auto traits = [] {
  std::array<uint8_t, opCount> made{};
  for (const Row &row : rows)
    made[static_cast<size_t>(row.op)] = row.traits;
  return made;
}();
} // namespace shadow_ops

constexpr bool hasTrait(OpId op, ShadowTrait trait) {
  return shadow_ops::traits[static_cast<size_t>(op)] & trait;
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_SHADOWOPS_H
