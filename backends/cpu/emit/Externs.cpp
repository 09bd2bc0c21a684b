//===- Externs.cpp - tt.extern_elementwise --------------------------------------------------------------===//
//
// What: a libdevice function by its symbol: one that is an op of TTIR gets that op's code, any other one is
// called on the lanes of a chunk (cpu/runtime). Limits: the fast_* functions are the accurate ones here,
// which their contract allows.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/AssertHook.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"
#include "backends/cpu/runtime/Function.h"
#include "core/ir/Ops.h"
#include "core/support/Lasting.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include <cstddef>

using namespace mlir;

namespace trisect::cpu {

namespace {
/// `<stem>f` for f32 and `<stem>` for f64.
constexpr std::pair<const char *, OpId> ofBothFloats[] = {
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

constexpr std::pair<const char *, OpId> byName[] = {
    {"fadd_rn", OpId::arith_addf},
    {"fsub_rn", OpId::arith_subf},
    {"fmul_rn", OpId::arith_mulf},
    {"fdiv_rn", OpId::arith_divf},
    {"fsqrt_rn", OpId::math_sqrt},
    {"frsqrt_rn", OpId::math_rsqrt},
    {"fmaf_rn", OpId::math_fma},
    {"dadd_rn", OpId::arith_addf},
    {"dsub_rn", OpId::arith_subf},
    {"dmul_rn", OpId::arith_mulf},
    {"ddiv_rn", OpId::arith_divf},
    {"dsqrt_rn", OpId::math_sqrt},
    {"fma_rn", OpId::math_fma},
    {"fast_expf", OpId::math_exp},
    {"fast_logf", OpId::math_log},
    {"fast_log2f", OpId::math_log2},
    {"fast_log10f", OpId::math_log10},
    {"fast_sinf", OpId::math_sin},
    {"fast_cosf", OpId::math_cos},
    {"fast_tanf", OpId::math_tan},
    {"fast_tanhf", OpId::math_tanh},
    {"fast_powf", OpId::math_powf},
    {"fast_fdividef", OpId::arith_divf},
    {"abs", OpId::math_absi},
    {"llabs", OpId::math_absi},
    {"min", OpId::arith_minsi},
    {"max", OpId::arith_maxsi},
    {"umin", OpId::arith_minui},
    {"umax", OpId::arith_maxui},
    {"llmin", OpId::arith_minsi},
    {"llmax", OpId::arith_maxsi},
    {"ullmin", OpId::arith_minui},
    {"ullmax", OpId::arith_maxui},
    {"popc", OpId::math_ctpop},
    {"clz", OpId::math_ctlz},
    {"umulhi", OpId::tt_mulhiui},
    {"umul64hi", OpId::tt_mulhiui},
    {"int_as_float", OpId::arith_bitcast},
    {"float_as_int", OpId::arith_bitcast},
    {"uint_as_float", OpId::arith_bitcast},
    {"float_as_uint", OpId::arith_bitcast},
    {"longlong_as_double", OpId::arith_bitcast},
    {"double_as_longlong", OpId::arith_bitcast},
    {"int2float_rn", OpId::arith_sitofp},
    {"uint2float_rn", OpId::arith_uitofp},
    {"int2double_rn", OpId::arith_sitofp},
    {"uint2double_rn", OpId::arith_uitofp},
    {"ll2float_rn", OpId::arith_sitofp},
    {"ull2float_rn", OpId::arith_uitofp},
    {"ll2double_rn", OpId::arith_sitofp},
    {"ull2double_rn", OpId::arith_uitofp},
    {"double2float_rn", OpId::arith_truncf},
    {"float2int_rz", OpId::arith_fptosi},
    {"float2uint_rz", OpId::arith_fptoui},
    {"float2ll_rz", OpId::arith_fptosi},
    {"float2ull_rz", OpId::arith_fptoui},
    {"double2int_rz", OpId::arith_fptosi},
    {"double2uint_rz", OpId::arith_fptoui},
    {"double2ll_rz", OpId::arith_fptosi},
    {"double2ull_rz", OpId::arith_fptoui},
};

const llvm::StringMap<OpId> &aliases() {
  static const Lasting<llvm::StringMap<OpId>> all([] {
    llvm::StringMap<OpId> made;
    for (const auto &[stem, op] : ofBothFloats) {
      made[std::string("__nv_") + stem] = op;
      made[std::string("__nv_") + stem + "f"] = op;
    }
    for (const auto &[name, op] : byName)
      made[std::string("__nv_") + name] = op;
    return made;
  }());
  return *all;
}

/// Memory for the lanes of a value, taken when the function is entered.
Value stackSlot(Code &code, LLVM::LLVMFuncOp function, Type type) {
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(&function.getBody().front());
  Value one = code.i64(1); // may have been made before, and then stands behind the block's start
  code.b.setInsertionPointAfter(one.getDefiningOp());
  auto pointer = LLVM::LLVMPointerType::get(code.b.getContext());
  return code.b.create<LLVM::AllocaOp>(code.loc, pointer, type, one, 64);
}

LLVM::LLVMFuncOp enclosingFunction(Code &code) {
  Operation *parent = code.b.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<LLVM::LLVMFuncOp>(parent);
  return function ? function : parent->getParentOfType<LLVM::LLVMFuncOp>();
}

} // namespace

Value callRuntime(Code &code, llvm::StringRef symbol, Type resultType, ArrayRef<Value> operands) {
  size_t number = *findRuntimeFunction(std::string_view(symbol.data(), symbol.size()));
  auto pointer = LLVM::LLVMPointerType::get(code.b.getContext());
  LLVM::LLVMFuncOp function = enclosingFunction(code);
  Value result = stackSlot(code, function, resultType);
  SmallVector<Value> arguments{result};
  for (Value operand : operands) {
    arguments.push_back(stackSlot(code, function, operand.getType()));
    code.b.create<LLVM::StoreOp>(code.loc, operand, arguments.back(), 64);
  }
  while (arguments.size() < 5)
    arguments.push_back(code.b.create<LLVM::ZeroOp>(code.loc, pointer));
  arguments.push_back(code.i64(lanesOf(resultType)));
  // The hook at the start of the scratch memory knows the functions; that memory is each function's last
  // argument.
  Value hook = code.pointer(function.getArguments().back());
  auto load = [&](Value base, int64_t offset) -> Value {
    Value address = code.b.create<LLVM::GEPOp>(code.loc, pointer, code.i8(), base,
                                               ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
    return code.b.create<LLVM::LoadOp>(code.loc, pointer, address, alignof(void *));
  };
  Value table = load(hook, offsetof(AssertHook, functions));
  arguments.insert(arguments.begin(), load(table, static_cast<int64_t>(number * sizeof(LaneFunction))));
  auto signature = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(code.b.getContext()),
                                               {pointer, pointer, pointer, pointer, pointer, code.i64()});
  code.b.create<LLVM::CallOp>(code.loc, signature, arguments);
  return code.b.create<LLVM::LoadOp>(code.loc, resultType, result, 64);
}

LaneValue emitExtern(Code &code, Operation *op, ArrayRef<LaneValue> operands, unsigned lanes) {
  llvm::StringRef symbol = cast<tt::ExternElementwiseOp>(op).getSymbol();
  if (auto alias = aliases().find(symbol); alias != aliases().end()) {
    for (auto family : {emitIntegerOp, emitFloatOp, emitCast})
      if (LaneValue result = family(code, op, alias->second, operands, lanes))
        return result;
    unsupported(op, "function '" + symbol + "' with these types");
  }
  std::optional<size_t> number = findRuntimeFunction(std::string_view(symbol.data(), symbol.size()));
  if (!number)
    unsupported(op, "unknown function '" + symbol + "'");
  if (runtimeFunctions()[*number].operands != operands.size())
    unsupported(op, "function '" + symbol + "' with this number of operands");
  bool uniform = llvm::all_of(operands, [](const LaneValue &v) { return v.isUniform(); });
  SmallVector<Value> values;
  for (const LaneValue &operand : operands)
    values.push_back(uniform ? operand.value : toVector(code, operand, lanes));
  Type type = vectorOf(emittedType(ttElement(op->getResult(0).getType())), uniform ? 1 : lanes);
  return LaneValue::lanes(callRuntime(code, symbol, type, values));
}

} // namespace trisect::cpu
