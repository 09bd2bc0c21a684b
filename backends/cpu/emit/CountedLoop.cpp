//===- CountedLoop.cpp - a loop of TTIR that ends where it says -----------------------------------------===//
#include "backends/cpu/emit/CountedLoop.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {

/// True if the last value plus the step surely fits the type.
bool cannotWrap(Value upper, Value step, unsigned width) {
  std::optional<int64_t> knownStep = constantOf(step), knownUpper = constantOf(upper);
  if (knownStep == 1)
    return true;
  int64_t greatest = INT64_MAX >> (64 - width);
  return knownStep && *knownStep > 0 && knownUpper && *knownUpper <= greatest - (*knownStep - 1);
}

} // namespace

Value tripCount(Code &code, Value lower, Value upper, Value step) {
  Value zero = code.i64(0), one = code.i64(1);
  Value runs = code.cmp(CmpIPredicate::slt, lower, upper);
  // As an unsigned number the distance fits.
  Value distance = code.sub(upper, lower);
  Value trips = code.add(code.make<arith::DivUIOp>(code.sub(distance, one), step), one);
  Value most = code.i64(INT64_MAX);
  return code.select(runs, code.make<arith::MinUIOp>(trips, most), zero);
}

CountedLoop makeCountedLoop(Code code, Value lower, Value upper, Value step, ValueRange initial) {
  auto emit = [&](Value from, Value to, Value by) {
    auto loop = code.b.create<scf::ForOp>(code.loc, from, to, by, initial);
    Block *body = loop.getBody();
    if (body->mightHaveTerminator())
      body->getTerminator()->erase();
    return loop;
  };
  Type type = lower.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  if (cannotWrap(upper, step, width)) {
    scf::ForOp loop = emit(lower, upper, step);
    return {loop, loop.getInductionVar()};
  }
  if (width < 64) {
    Type wide = code.i64();
    scf::ForOp loop = emit(code.sext(lower, wide), code.sext(upper, wide), code.sext(step, wide));
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToEnd(loop.getBody());
    return {loop, code.trunc(loop.getInductionVar(), type)};
  }
  scf::ForOp loop = emit(code.i64(0), tripCount(code, lower, upper, step), code.i64(1));
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToEnd(loop.getBody());
  return {loop, code.add(lower, code.mul(loop.getInductionVar(), step))};
}

} // namespace trisect::cpu
