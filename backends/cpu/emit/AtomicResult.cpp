//===- AtomicResult.cpp - what a read-modify-write leaves -----------------------------------------------===//
#include "backends/cpu/emit/AtomicResult.h"
#include "backends/cpu/emit/Elementwise.h"
#include "backends/cpu/emit/Types.h"

using namespace mlir;

namespace trisect::cpu {

std::optional<LLVM::AtomicBinOp> machineKind(tt::RmwKind kind) {
  switch (kind) {
  case tt::RmwKind::And:
    return LLVM::AtomicBinOp::_and;
  case tt::RmwKind::Or:
    return LLVM::AtomicBinOp::_or;
  case tt::RmwKind::Xor:
    return LLVM::AtomicBinOp::_xor;
  case tt::RmwKind::Add:
    return LLVM::AtomicBinOp::add;
  case tt::RmwKind::Max:
    return LLVM::AtomicBinOp::max;
  case tt::RmwKind::Min:
    return LLVM::AtomicBinOp::min;
  case tt::RmwKind::UMax:
    return LLVM::AtomicBinOp::umax;
  case tt::RmwKind::UMin:
    return LLVM::AtomicBinOp::umin;
  case tt::RmwKind::Exch:
    return LLVM::AtomicBinOp::xchg;
  case tt::RmwKind::FAdd:
    return std::nullopt;
  }
  return std::nullopt;
}

Value asInteger(Code &code, Value value) {
  return code.bits(value, code.b.getIntegerType(elementOf(value.getType()).getIntOrFloatBitWidth()));
}

namespace {
/// What an operation on integers leaves in memory.
Value combined(Code &code, LLVM::AtomicBinOp kind, Value old, Value operand) {
  switch (kind) {
  case LLVM::AtomicBinOp::_and:
    return code.both(old, operand);
  case LLVM::AtomicBinOp::_or:
    return code.either(old, operand);
  case LLVM::AtomicBinOp::_xor:
    return code.exclusive(old, operand);
  case LLVM::AtomicBinOp::add:
    return code.add(old, operand);
  case LLVM::AtomicBinOp::max:
    return code.make<arith::MaxSIOp>(old, operand);
  case LLVM::AtomicBinOp::min:
    return code.make<arith::MinSIOp>(old, operand);
  case LLVM::AtomicBinOp::umax:
    return code.make<arith::MaxUIOp>(old, operand);
  case LLVM::AtomicBinOp::umin:
    return code.make<arith::MinUIOp>(old, operand);
  default:
    return operand;
  }
}

/// The bits of a float sum.
Value sumBits(Code &code, Value old, Value amount, Type element) {
  Type compute = isNarrowFloat(element) ? code.f32() : element;
  Value number = convertFloat(code, code.bits(old, emittedType(element)), element, compute);
  Value sum = code.addf(number, convertFloat(code, amount, element, compute));
  return asInteger(code, convertFloat(code, sum, compute, element));
}
} // namespace

Value freshBits(Code &code, std::optional<LLVM::AtomicBinOp> kind, Value old, Value value, Type element) {
  return kind ? combined(code, *kind, old, asInteger(code, value)) : sumBits(code, old, value, element);
}

} // namespace trisect::cpu
