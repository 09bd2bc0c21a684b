//===- Wide.h - f64 values of vector code with the signs of arithmetic ----------------------------------===//
//
// What: a value of f64, scalar or vector, on which +, -, * and / build operations, none of them fused; e^x
// and log x in such steps. Why: most f32 functions are a few lines of f64 arithmetic that is rounded once
// (docs/functions.md fixes them); written so, they read as they do there.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_MATH_WIDE_H
#define TRISECT_BACKENDS_CPU_MATH_WIDE_H

#include "backends/cpu/emit/Code.h"
#include <initializer_list>

namespace trisect::cpu {

class Wide {
public:
  Wide(Code &code, mlir::Value value) : code(&code), value(value) {}
  /// Of an f32, exact.
  static Wide of(Code &code, mlir::Value single);
  /// `number` in the lanes of `like`.
  Wide like(double number) const { return {*code, code->real(value.getType(), number)}; }
  Wide likeBits(uint64_t bits) const { return {*code, code->realBits(value.getType(), bits)}; }
  /// Rounded to f32.
  mlir::Value single() const;

  friend Wide operator+(Wide a, Wide b) { return {*a.code, a.code->addf(a.value, b.value)}; }
  friend Wide operator-(Wide a, Wide b) { return {*a.code, a.code->subf(a.value, b.value)}; }
  friend Wide operator*(Wide a, Wide b) { return {*a.code, a.code->mulf(a.value, b.value)}; }
  friend Wide operator/(Wide a, Wide b) { return {*a.code, a.code->divf(a.value, b.value)}; }
  friend Wide operator+(Wide a, double b) { return a + a.like(b); }
  friend Wide operator-(Wide a, double b) { return a - a.like(b); }
  friend Wide operator*(Wide a, double b) { return a * a.like(b); }
  friend Wide operator/(Wide a, double b) { return a / a.like(b); }
  friend Wide operator+(double a, Wide b) { return b.like(a) + b; }
  friend Wide operator-(double a, Wide b) { return b.like(a) - b; }
  friend Wide operator/(double a, Wide b) { return b.like(a) / b; }

  /// Conditions of lanes; false where either is NaN.
  mlir::Value operator<(Wide b) const { return code->cmp(mlir::arith::CmpFPredicate::OLT, value, b.value); }
  mlir::Value operator>(Wide b) const { return code->cmp(mlir::arith::CmpFPredicate::OGT, value, b.value); }
  mlir::Value operator<(double b) const { return *this < like(b); }
  mlir::Value operator>(double b) const { return *this > like(b); }
  mlir::Value equals(Wide b) const { return code->cmp(mlir::arith::CmpFPredicate::OEQ, value, b.value); }
  mlir::Value equals(double b) const { return equals(like(b)); }
  mlir::Value isNan() const { return code->cmp(mlir::arith::CmpFPredicate::UNO, value, value); }
  Wide absolute() const;
  Wide root() const;
  Wide withSignOf(Wide sign) const;

  /// The bits as i64, and back.
  mlir::Value bits() const { return code->bits(value, code->i64()); }
  Wide ofBits(mlir::Value word) const { return {*code, code->bits(word, code->f64())}; }

  Code *code;
  mlir::Value value;
};

/// `a` where the condition holds, else `b`.
Wide choose(mlir::Value condition, Wide a, Wide b);
/// c0 + x (c1 + x (c2 + ...))
Wide horner(Wide x, std::initializer_list<double> coefficients);

/// e^x; |x| above 700 is taken as 700.
Wide expOf(Wide x);
/// log x for x >= 0, NaN of others.
Wide logOf(Wide x);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_MATH_WIDE_H
