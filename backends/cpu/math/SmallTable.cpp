//===- SmallTable.cpp - by registers or from memory -----------------------------------------------------===//
#include "backends/cpu/math/SmallTable.h"
#include "backends/cpu/emit/Constants.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
Value numbers(Code &code, llvm::ArrayRef<float> part) {
  auto type = cast<ShapedType>(vectorOf(code.f32(), part.size()));
  return code.constant(DenseElementsAttr::get(type, part));
}

Value inOneRegister(Code &code, llvm::ArrayRef<float> table, Value index) {
  Type type = withElement(index.getType(), code.f32());
  return code.intrinsic("llvm.x86.avx512.permvar.sf.512", type, {numbers(code, table), index});
}

Value inTwoRegisters(Code &code, llvm::ArrayRef<float> table, Value index) {
  Type type = withElement(index.getType(), code.f32());
  auto part = [&](llvm::ArrayRef<float> entries) {
    return code.intrinsic("llvm.x86.avx2.permps", type, {numbers(code, entries), index});
  };
  Value lower = part(table.take_front(tableEntries / 2)), upper = part(table.drop_front(tableEntries / 2));
  // The fourth bit, where a choice between vectors looks for it.
  Value sign = code.shl(index, 28);
  Value inUpper = code.cmp(arith::CmpIPredicate::slt, sign, code.zero(sign.getType()));
  return code.select(inUpper, upper, lower);
}

Value inMemory(Code &code, llvm::ArrayRef<float> table, Value index) {
  StringRef bytes(reinterpret_cast<const char *>(table.data()), table.size() * sizeof(float));
  Type type = withElement(index.getType(), code.f32());
  Value entry = code.zext(code.both(index, code.integer(index.getType(), tableEntries - 1)), code.i64());
  Value base = code.splat(constantBytes(code, bytes), lanesOf(type));
  Value address = code.pointer(code.add(base, code.shl(entry, 2)));
  if (lanesOf(type) == 1)
    return code.b.create<LLVM::LoadOp>(code.loc, type, address, alignof(float));
  Value all = code.integer(withElement(type, code.i1()), 1);
  return code.b.create<LLVM::masked_gather>(code.loc, type, address, all, code.zero(type), alignof(float));
}

bool hasPermutes(const Code &code) { return code.machine && code.machine->vectorBytes >= 32; }
} // namespace

unsigned lanesOfLookup(const Code &code) {
  return hasPermutes(code) ? code.machine->vectorBytes / sizeof(float) : tableEntries;
}

Value lookUp(Code &code, llvm::ArrayRef<float> table, Value index) {
  assert(table.size() == tableEntries && "four bits name an entry");
  unsigned lanes = lanesOf(index.getType());
  if (!hasPermutes(code) || lanes < tableEntries / 2)
    return inMemory(code, table, index);
  return lanes == tableEntries ? inOneRegister(code, table, index) : inTwoRegisters(code, table, index);
}

} // namespace trisect::cpu
