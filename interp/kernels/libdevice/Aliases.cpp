//===- Aliases.cpp - libdevice functions that are ops of TTIR -------------------------------------------===//
//
// Limits: the fast_* functions are the accurate ones here, which their contract allows.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/libdevice/Libdevice.h"
#include <string>

namespace trisect::interp {

namespace {
struct Name {
  const char *stem;
  OpId op;
};

/// `__nv_<stem>f` for f32 and `__nv_<stem>` for f64.
constexpr Name both[] = {
    {"fabs", OpId::math_absf},     {"floor", OpId::math_floor},       {"ceil", OpId::math_ceil},
    {"trunc", OpId::math_trunc},   {"rint", OpId::math_roundeven},    {"nearbyint", OpId::math_roundeven},
    {"round", OpId::math_round},   {"sqrt", OpId::math_sqrt},         {"rsqrt", OpId::math_rsqrt},
    {"exp", OpId::math_exp},       {"exp2", OpId::math_exp2},         {"expm1", OpId::math_expm1},
    {"log", OpId::math_log},       {"log2", OpId::math_log2},         {"log10", OpId::math_log10},
    {"log1p", OpId::math_log1p},   {"sin", OpId::math_sin},           {"cos", OpId::math_cos},
    {"tan", OpId::math_tan},       {"asin", OpId::math_asin},         {"acos", OpId::math_acos},
    {"atan", OpId::math_atan},     {"atan2", OpId::math_atan2},       {"sinh", OpId::math_sinh},
    {"cosh", OpId::math_cosh},     {"tanh", OpId::math_tanh},         {"asinh", OpId::math_asinh},
    {"acosh", OpId::math_acosh},   {"atanh", OpId::math_atanh},       {"cbrt", OpId::math_cbrt},
    {"erf", OpId::math_erf},       {"pow", OpId::math_powf},          {"fmod", OpId::arith_remf},
    {"fma", OpId::math_fma},       {"copysign", OpId::math_copysign}, {"fmin", OpId::arith_minnumf},
    {"fmax", OpId::arith_maxnumf},
};

struct Typed {
  const char *symbol;
  OpId op;
  DType operand;
  DType result;
};
constexpr DType i32 = DType::I32, i64 = DType::I64, f32 = DType::F32, f64 = DType::F64;

constexpr Typed typed[] = {
    {"__nv_fadd_rn", OpId::arith_addf, f32, f32},
    {"__nv_fsub_rn", OpId::arith_subf, f32, f32},
    {"__nv_fmul_rn", OpId::arith_mulf, f32, f32},
    {"__nv_fdiv_rn", OpId::arith_divf, f32, f32},
    {"__nv_fsqrt_rn", OpId::math_sqrt, f32, f32},
    {"__nv_frsqrt_rn", OpId::math_rsqrt, f32, f32},
    {"__nv_fmaf_rn", OpId::math_fma, f32, f32},
    {"__nv_dadd_rn", OpId::arith_addf, f64, f64},
    {"__nv_dsub_rn", OpId::arith_subf, f64, f64},
    {"__nv_dmul_rn", OpId::arith_mulf, f64, f64},
    {"__nv_ddiv_rn", OpId::arith_divf, f64, f64},
    {"__nv_dsqrt_rn", OpId::math_sqrt, f64, f64},
    {"__nv_fma_rn", OpId::math_fma, f64, f64},

    {"__nv_fast_expf", OpId::math_exp, f32, f32},
    {"__nv_fast_logf", OpId::math_log, f32, f32},
    {"__nv_fast_log2f", OpId::math_log2, f32, f32},
    {"__nv_fast_log10f", OpId::math_log10, f32, f32},
    {"__nv_fast_sinf", OpId::math_sin, f32, f32},
    {"__nv_fast_cosf", OpId::math_cos, f32, f32},
    {"__nv_fast_tanf", OpId::math_tan, f32, f32},
    {"__nv_fast_tanhf", OpId::math_tanh, f32, f32},
    {"__nv_fast_powf", OpId::math_powf, f32, f32},
    {"__nv_fast_fdividef", OpId::arith_divf, f32, f32},

    {"__nv_abs", OpId::math_absi, i32, i32},
    {"__nv_llabs", OpId::math_absi, i64, i64},
    {"__nv_min", OpId::arith_minsi, i32, i32},
    {"__nv_max", OpId::arith_maxsi, i32, i32},
    {"__nv_umin", OpId::arith_minui, i32, i32},
    {"__nv_umax", OpId::arith_maxui, i32, i32},
    {"__nv_llmin", OpId::arith_minsi, i64, i64},
    {"__nv_llmax", OpId::arith_maxsi, i64, i64},
    {"__nv_ullmin", OpId::arith_minui, i64, i64},
    {"__nv_ullmax", OpId::arith_maxui, i64, i64},
    {"__nv_popc", OpId::math_ctpop, i32, i32},
    {"__nv_clz", OpId::math_ctlz, i32, i32},
    {"__nv_umulhi", OpId::tt_mulhiui, i32, i32},
    {"__nv_umul64hi", OpId::tt_mulhiui, i64, i64},

    {"__nv_int_as_float", OpId::arith_bitcast, i32, f32},
    {"__nv_float_as_int", OpId::arith_bitcast, f32, i32},
    {"__nv_uint_as_float", OpId::arith_bitcast, i32, f32},
    {"__nv_float_as_uint", OpId::arith_bitcast, f32, i32},
    {"__nv_longlong_as_double", OpId::arith_bitcast, i64, f64},
    {"__nv_double_as_longlong", OpId::arith_bitcast, f64, i64},

    {"__nv_int2float_rn", OpId::arith_sitofp, i32, f32},
    {"__nv_uint2float_rn", OpId::arith_uitofp, i32, f32},
    {"__nv_int2double_rn", OpId::arith_sitofp, i32, f64},
    {"__nv_uint2double_rn", OpId::arith_uitofp, i32, f64},
    {"__nv_ll2float_rn", OpId::arith_sitofp, i64, f32},
    {"__nv_ull2float_rn", OpId::arith_uitofp, i64, f32},
    {"__nv_ll2double_rn", OpId::arith_sitofp, i64, f64},
    {"__nv_ull2double_rn", OpId::arith_uitofp, i64, f64},
    {"__nv_double2float_rn", OpId::arith_truncf, f64, f32},
    {"__nv_float2int_rz", OpId::arith_fptosi, f32, i32},
    {"__nv_float2uint_rz", OpId::arith_fptoui, f32, i32},
    {"__nv_float2ll_rz", OpId::arith_fptosi, f32, i64},
    {"__nv_float2ull_rz", OpId::arith_fptoui, f32, i64},
    {"__nv_double2int_rz", OpId::arith_fptosi, f64, i32},
    {"__nv_double2uint_rz", OpId::arith_fptoui, f64, i32},
    {"__nv_double2ll_rz", OpId::arith_fptosi, f64, i64},
    {"__nv_double2ull_rz", OpId::arith_fptoui, f64, i64},
};
} // namespace

void addLibdeviceAliases(Registry &registry) {
  for (const auto &[stem, op] : both) {
    const std::string symbol = std::string("__nv_") + stem;
    registry.alias((symbol + "f").c_str(), op, f32, f32);
    registry.alias(symbol.c_str(), op, f64, f64);
  }
  for (const auto &[symbol, op, operand, result] : typed)
    registry.alias(symbol, op, operand, result);
  // As the pass hide-extremes calls it.
  for (DType type : {f32, f64, DType::F16, DType::BF16}) {
    registry.alias("arith.maxnumf", OpId::arith_maxnumf, type, type);
    registry.alias("arith.minnumf", OpId::arith_minnumf, type, type);
  }
}

void addLibdevice(Registry &registry) {
  addLibdeviceAliases(registry);
  addLibdeviceIntegers(registry);
  addLibdeviceFloats(registry);
  addLibdeviceSpecial(registry);
  addLibdeviceDirected(registry);
  addLibdeviceDirectedCasts(registry);
}

} // namespace trisect::interp
