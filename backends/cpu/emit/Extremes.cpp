//===- Extremes.cpp - the greatest and the least of f32 without AVX-512 ---------------------------------===//
#include "backends/cpu/emit/Extremes.h"
#include "backends/cpu/emit/Types.h"
#include <limits>

using namespace mlir;
using arith::CmpFPredicate;

namespace trisect::cpu {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

bool isLargest(tt::ReduceOp op) { return isa<arith::MaxNumFOp>(op->getRegion(0).front().front()); }

// One instruction: `kept` also where `more` is a NaN, or they are equal.
Value further(Code &code, Value more, Value kept, bool larger) {
  auto predicate = larger ? CmpFPredicate::OGT : CmpFPredicate::OLT;
  return code.select(code.cmp(predicate, more, kept), more, kept);
}

// As numbers without a sign +0 is the least, as signed ones -0.
Value lesserBits(Code &code, Value a, Value b, bool unsign) {
  return unsign ? code.make<arith::MinUIOp>(a, b) : code.make<arith::MinSIOp>(a, b);
}
} // namespace

bool isPlainExtreme(Code &code, tt::ReduceOp op, unsigned lanes) {
  Block &block = op->getRegion(0).front();
  Operation &joins = block.front();
  return op->getNumOperands() == 1 && block.getOperations().size() == 2 &&
         isa<arith::MaxNumFOp, arith::MinNumFOp>(joins) && joins.getResult(0).getType().isF32() &&
         llvm::equal(joins.getOperands(), block.getArguments()) &&
         llvm::equal(block.getTerminator()->getOperands(), joins.getResults()) && lanes >= 4 &&
         !code.isWide(vectorOf(code.f32(), 16));
}

SmallVector<Parts> startExtremes(Code &code, tt::ReduceOp op, unsigned lanes, unsigned chunks) {
  double lowest = isLargest(op) ? -infinity : infinity;
  Type type = vectorOf(code.f32(), lanes);
  SmallVector<Parts> all(chunks, Parts{code.real(type, lowest)});
  all.front().push_back(code.real(type, -lowest));
  all.front().push_back(code.integer(vectorOf(code.i32(), lanes), isLargest(op) ? -1 : INT32_MAX));
  return all;
}

void joinExtreme(Code &code, tt::ReduceOp op, SmallVector<Parts> &accumulators, unsigned chunk, Value more) {
  bool largest = isLargest(op);
  Parts &beside = accumulators.front();
  accumulators[chunk][0] = further(code, more, accumulators[chunk][0], largest);
  beside[1] = further(code, more, beside[1], !largest);
  beside[2] = lesserBits(code, code.bits(more, code.i32()), beside[2], largest);
}

Value finishExtremes(Code &code, tt::ReduceOp op, const SmallVector<Parts> &accumulators) {
  bool largest = isLargest(op);
  Value found = accumulators.front()[0], other = accumulators.front()[1], bits = accumulators.front()[2];
  for (const Parts &parts : llvm::drop_begin(accumulators))
    found = further(code, parts[0], found, largest);
  auto halves = [&](Value &whole) { return std::pair(code.half(whole, false), code.half(whole, true)); };
  while (lanesOf(found.getType()) > 1) {
    auto [a, b] = halves(found);
    found = further(code, b, a, largest);
    std::tie(a, b) = halves(other);
    other = further(code, b, a, !largest);
    std::tie(a, b) = halves(bits);
    bits = lesserBits(code, a, b, largest);
  }
  Type type = found.getType();
  Value zero = code.real(type, 0.0), minus = code.real(type, -0.0);
  Value wins = code.cmp(arith::CmpIPredicate::eq, bits, code.integer(code.i32(), largest ? 0 : INT32_MIN));
  Value signedZero = code.select(wins, largest ? zero : minus, largest ? minus : zero);
  found = code.select(code.cmp(CmpFPredicate::OEQ, found, zero), signedZero, found);
  Value none = code.cmp(largest ? CmpFPredicate::OLT : CmpFPredicate::OGT, found, other);
  return code.select(none, code.real(type, std::numeric_limits<double>::quiet_NaN()), found);
}

} // namespace trisect::cpu
