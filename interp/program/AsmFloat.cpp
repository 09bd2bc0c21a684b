//===- AsmFloat.cpp - PTX float arithmetic --------------------------------------------------------------===//
//
// add, sub, mul, fma, mad, div, rcp, min, max, neg, abs, copysign, sqrt, rsqrt, ex2, lg2, sin, cos, tanh, of
// f16, bf16, f32, f64 and packed pairs, to nearest; `.ftz`, `.sat` and `.relu`. The approximate forms are
// the accurate ones. NaN is what a GPU makes of it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/program/AsmMachine.h"
#include "interp/program/AsmScalar.h"
#include <utility>

namespace trisect::interp {

using namespace ptx;

bool AsmMachine::floatOp(const AsmInstr &instr, const std::string &type) {
  DType element = *floatType(type);
  unsigned size = byteSize(element);
  OpId op;
  if (instr.opcode == "add")
    op = OpId::arith_addf;
  else if (instr.opcode == "sub")
    op = OpId::arith_subf;
  else if (instr.opcode == "mul")
    op = OpId::arith_mulf;
  else if (instr.opcode == "fma" || instr.opcode == "mad")
    op = OpId::math_fma;
  else if (instr.opcode == "min")
    op = has(instr, "NaN") ? OpId::arith_minimumf : OpId::arith_minnumf;
  else if (instr.opcode == "max")
    op = has(instr, "NaN") ? OpId::arith_maximumf : OpId::arith_maxnumf;
  else if (instr.opcode == "neg")
    op = OpId::arith_negf;
  else if (instr.opcode == "abs")
    op = OpId::math_absf;
  else if (instr.opcode == "sqrt")
    op = OpId::math_sqrt;
  else if (instr.opcode == "rsqrt")
    op = OpId::math_rsqrt;
  else if (instr.opcode == "ex2")
    op = OpId::math_exp2;
  else if (instr.opcode == "lg2")
    op = OpId::math_log2;
  else if (instr.opcode == "sin")
    op = OpId::math_sin;
  else if (instr.opcode == "cos")
    op = OpId::math_cos;
  else if (instr.opcode == "tanh")
    op = OpId::math_tanh;
  else if (instr.opcode == "div" || instr.opcode == "rcp")
    op = OpId::arith_divf;
  else if (instr.opcode == "copysign")
    op = OpId::math_copysign;
  else
    return false;
  const uint64_t one = *apply(OpId::arith_sitofp, DType::I32, element, {1});
  unsigned count = type.ends_with("x2") ? 2 : 1;
  size_t inputs = instr.operands.size() - 1;
  uint64_t result = 0;
  const bool flush = flushes(instr, element), copies = instr.opcode == "copysign";
  for (unsigned n = 0; n < count; ++n) {
    uint64_t in[3] = {};
    for (size_t k = 0; k < inputs && k < 3; ++k)
      in[k] = flushed(cut(read(instr.operands[k + 1]) >> 16 * n, size), element, flush);
    if (instr.opcode == "rcp") {
      in[1] = in[0];
      in[0] = one;
    } else if (copies) {
      std::swap(in[0], in[1]); // the sign comes first
    }
    auto bits = inputs == 1 && instr.opcode != "rcp" ? apply(op, element, element, {in[0]})
                : inputs <= 2                        ? apply(op, element, element, {in[0], in[1]})
                                                     : apply(op, element, element, {in[0], in[1], in[2]});
    if (!bits)
      return false;
    // Clamped to 0..1 or from 0 up; NaN becomes 0 with sat, and stays with relu.
    if (has(instr, "sat"))
      bits = apply(OpId::arith_minnumf, element, element,
                   {*apply(OpId::arith_maxnumf, element, element, {*bits, 0}), one});
    else if (has(instr, "relu"))
      bits = apply(OpId::arith_maximumf, element, element, {*bits, 0});
    bool signOnly = instr.opcode == "neg" || instr.opcode == "abs";
    if (element == DType::F64 && signOnly && isNan(in[0], element))
      bits = in[0] | uint64_t(1) << 51; // as it is, but quiet
    else if (!copies)
      bits = oneNan(flushed(*bits, element, flush), element);
    result |= *bits << 16 * n;
  }
  write(instr.operands[0], result, size * count);
  return true;
}

} // namespace trisect::interp
