//===- Together.cpp - bytes and pairs -------------------------------------------------------------------===//
#include "backends/cpu/dot/Together.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
/// Columns that are interleaved at once.
constexpr unsigned columnsAtOnce = 16;
/// Of the bytes of a word.
constexpr int64_t eachHighBit = int64_t(0x80808080) - (int64_t(1) << 32);

Value call(Code &code, llvm::StringRef name, Type result, ValueRange operands) {
  return code.b.create<LLVM::CallIntrinsicOp>(code.loc, result, code.b.getStringAttr(name), operands)
      .getResult(0);
}

void loop(Code &code, Value to, int64_t step, llvm::function_ref<void(Value)> body) {
  auto made = code.b.create<scf::ForOp>(code.loc, code.i64(0), to, code.i64(step));
  OpBuilder::InsertionGuard guard(code.b);
  code.b.setInsertionPointToStart(made.getBody());
  body(made.getInductionVar());
}

/// Bytes from the scratch memory's begin to where column `column` of step `k` begins.
Value place(KernelState &state, const Buffer &buffer, Value k, Value column, unsigned steps) {
  Code c = state.code();
  int64_t columns = buffer.panel ? buffer.panel : buffer.shape.back();
  int64_t depth = buffer.pitch ? buffer.pitch : buffer.shape.front();
  Value inside = c.both(column, c.i64(columns - 1));
  Value elements = c.add(c.mul(c.sub(column, inside), c.i64(depth)), c.mul(k, c.i64(columns)));
  elements = c.add(elements, c.mul(inside, c.i64(steps)));
  return c.add(state.beginOf(buffer), c.mul(elements, c.i64(memoryBytes(buffer.element))));
}

Value alternate(Code &code, Value a, Value b, unsigned unit) {
  unsigned lanes = lanesOf(a.getType());
  SmallVector<int64_t> order;
  for (unsigned i = 0; i < lanes; i += unit)
    for (unsigned from : {0U, lanes})
      for (unsigned j = 0; j < unit; ++j)
        order.push_back(from + i + j);
  return code.b.create<vector::ShuffleOp>(code.loc, a, b, order);
}
} // namespace

Buffer asWords(Code &code, Buffer block, unsigned steps, bool down) {
  size_t rank = block.shape.size();
  block.element = code.i32();
  block.shape[down ? rank - 2 : rank - 1] /= steps;
  if (block.pitch)
    block.pitch /= steps;
  return block;
}

void emitInterleave(KernelState &state, const Buffer &from, const Buffer &to, const Form &form) {
  Code c = state.code();
  unsigned steps = form.together;
  Type vector = vectorOf(emittedType(from.element), columnsAtOnce);
  unsigned bytes = memoryBytes(from.element);
  loop(c, c.i64(from.shape[0]), steps, [&](Value k) {
    loop(c, c.i64(from.shape[1]), columnsAtOnce, [&](Value column) {
      SmallVector<Value> rows;
      for (unsigned i = 0; i < steps; ++i) {
        Value address = place(state, from, c.add(k, c.i64(i)), column, 1);
        rows.push_back(c.b.create<LLVM::LoadOp>(c.loc, vector, c.pointer(address), columnsAtOnce * bytes));
      }
      bool firstAbove = isa<FloatType>(from.element) && !form.tiles;
      Value all = alternate(c, rows[firstAbove ? 1 : 0], rows[firstAbove ? 0 : 1], 1);
      if (steps == 4)
        all = alternate(c, all, alternate(c, rows[2], rows[3], 1), 2);
      c.b.create<LLVM::StoreOp>(c.loc, all, c.pointer(place(state, to, k, column, steps)),
                                columnsAtOnce * bytes * steps);
    });
  });
}

void emitColumnSums(KernelState &state, const Buffer &right, const Buffer &sums, Value depth) {
  Code c = state.code();
  Type vector = vectorOf(c.i32(), columnsAtOnce);
  Value offsets = c.integer(vector, eachHighBit);
  loop(c, c.i64(right.shape.back()), columnsAtOnce, [&](Value column) {
    auto made = c.b.create<scf::ForOp>(c.loc, c.i64(0), depth, c.i64(4), ValueRange(c.integer(vector, 0)));
    {
      OpBuilder::InsertionGuard guard(c.b);
      c.b.setInsertionPointToStart(made.getBody());
      Value address = place(state, right, made.getInductionVar(), column, 4);
      Value bytes = c.b.create<LLVM::LoadOp>(c.loc, vector, c.pointer(address), 64);
      c.b.create<scf::YieldOp>(c.loc, addTogether(c, 4, made.getRegionIterArg(0), offsets, bytes));
    }
    c.b.create<LLVM::StoreOp>(c.loc, made.getResult(0), c.pointer(place(state, sums, c.i64(0), column, 1)),
                              64);
  });
}

Value leftTogether(Code &code, unsigned steps, Value left) {
  Type type = left.getType();
  if (!isa<FloatType>(getElementTypeOrSelf(type)))
    return steps == 4 ? code.exclusive(left, code.integer(type, eachHighBit)) : left;
  unsigned lanes = 2 * lanesOf(type);
  SmallVector<int64_t> order;
  for (unsigned i = 0; i < lanes; ++i)
    order.push_back(i ^ 1);
  Value each = code.b.create<vector::BitCastOp>(code.loc, vectorOf(code.i16(), lanes), left);
  each = code.b.create<vector::ShuffleOp>(code.loc, each, each, order);
  return code.b.create<vector::BitCastOp>(code.loc, type, each);
}

Value addTogether(Code &code, unsigned steps, Value sum, Value left, Value right) {
  Type type = sum.getType();
  if (isa<FloatType>(getElementTypeOrSelf(type))) {
    Type pairs = vectorOf(code.b.getBF16Type(), 2 * lanesOf(type));
    left = code.b.create<vector::BitCastOp>(code.loc, pairs, left);
    right = code.b.create<vector::BitCastOp>(code.loc, pairs, right);
    return call(code, "llvm.x86.avx512bf16.dpbf16ps.512", type, {sum, left, right});
  }
  if (steps == 4)
    return call(code, "llvm.x86.avx512.vpdpbusd.512", type, {sum, left, right});
  unsigned lanes = lanesOf(type);
  Type pairs = vectorOf(code.i16(), 2 * lanes);
  auto halves = [&](Value value) -> Value {
    return code.b.create<vector::BitCastOp>(code.loc, pairs, value);
  };
  const char *name = lanes == 16  ? "llvm.x86.avx512.pmaddw.d.512"
                     : lanes == 8 ? "llvm.x86.avx2.pmadd.wd"
                                  : "llvm.x86.sse2.pmadd.wd";
  return code.add(sum, call(code, name, type, {halves(left), halves(right)}));
}

} // namespace trisect::cpu
