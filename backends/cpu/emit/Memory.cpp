//===- Memory.cpp - loads and stores of one chunk -------------------------------------------------------===//
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Choice.h"
#include "backends/cpu/emit/PathMarks.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
/// i1 lies in memory as a byte.
Value fromMemory(Code &code, Value value, Type element) {
  if (!emittedType(element).isInteger(1))
    return value;
  return code.cmp(CmpIPredicate::ne, value, code.zero(value.getType()));
}

Value toMemory(Code &code, Value value) {
  return elementOf(value.getType()).isInteger(1) ? code.zext(value, code.i8()) : value;
}

void when(Code &code, Value condition, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(code.b);
  auto branch = code.b.create<scf::IfOp>(code.loc, condition, /*withElseRegion=*/false);
  code.b.setInsertionPointToStart(branch.thenBlock());
  body();
}

constexpr const char *inOneAccess = "lanes that follow one another", *laneByLane = "lanes here and there";

struct Access {
  Type type; ///< of one chunk in memory
  unsigned alignment;
  unsigned lanes;
};

bool contiguous(const LaneValue &address, unsigned bytes) {
  return address.isStrided() && constantOf(address.stride) == static_cast<int64_t>(bytes);
}

/// True at run time if the lanes of `addresses` follow one another.
Value followEachOther(Code &code, Value addresses, unsigned bytes, unsigned lanes) {
  Type type = addresses.getType();
  Value first = code.lane(addresses, 0);
  Value steps = code.mul(code.iota(code.i64(), lanes), code.integer(type, bytes));
  return code.allTrue(code.cmp(CmpIPredicate::eq, addresses, code.add(code.splat(first, lanes), steps)));
}

Value vectorLoad(Code &code, Value address, const Access &access, Value mask, Value other) {
  Value pointer = code.pointer(address);
  if (!mask)
    return code.b.create<LLVM::LoadOp>(code.loc, access.type, pointer, access.alignment);
  return code.b.create<LLVM::MaskedLoadOp>(code.loc, access.type, pointer, mask, other, access.alignment);
}

void vectorStore(Code &code, Value value, Value address, const Access &access, Value mask) {
  Value pointer = code.pointer(address);
  if (!mask)
    code.b.create<LLVM::StoreOp>(code.loc, value, pointer, access.alignment);
  else
    code.b.create<LLVM::MaskedStoreOp>(code.loc, value, pointer, mask, access.alignment);
}

Value allLanes(Code &code, unsigned lanes) { return code.integer(vectorOf(code.i1(), lanes), 1); }
} // namespace

LaneValue loadLanes(Code &code, const LaneValue &address, Type element, const MemoryMask &mask,
                    unsigned lanes, unsigned alignment) {
  unsigned bytes = memoryBytes(element);
  Type scalar = memoryType(element);
  auto otherValue = [&](Type type) -> Value {
    if (!mask.other)
      return code.zero(type);
    return toMemory(code, isa<VectorType>(type) ? toVector(code, mask.other, lanes) : mask.other.value);
  };
  bool uniformMask = !mask.condition || mask.condition.isUniform();
  bool uniformOther = !mask.other || mask.other.isUniform();
  if (address.isUniform() && uniformMask && uniformOther) {
    Access access{scalar, alignment ? alignment : bytes, 1};
    auto load = [&](bool on) {
      return SmallVector<Value>{on ? vectorLoad(code, address.value, access, {}, {}) : otherValue(scalar)};
    };
    Value value = mask.condition ? eitherWay(code, scalar, mask.condition.value, load).getResult(0)
                                 : load(true).front();
    return LaneValue::uniform(fromMemory(code, value, element));
  }
  Access access{vectorOf(scalar, lanes), alignment ? alignment : bytes, lanes};
  Value condition = mask.condition ? toVector(code, mask.condition, lanes) : Value();
  Value other = mask.condition ? otherValue(access.type) : Value();
  if (contiguous(address, bytes))
    return LaneValue::lanes(
        fromMemory(code, vectorLoad(code, address.value, access, condition, other), element));
  Value addresses = toVector(code, address, lanes);
  auto gather = [&]() -> Value {
    Value on = condition ? condition : allLanes(code, lanes);
    SmallVector<Value> passThrough{other ? other : code.zero(access.type)};
    return code.b.create<LLVM::masked_gather>(code.loc, access.type, code.pointer(addresses), on, passThrough,
                                              bytes);
  };
  Value value;
  if (address.isVector()) {
    Value follow = followEachOther(code, addresses, bytes, lanes);
    scf::IfOp choice = eitherWay(code, access.type, follow, [&](bool together) {
      return SmallVector<Value>{together ? vectorLoad(code, code.lane(addresses, 0), access, condition, other)
                                         : gather()};
    });
    markPaths(choice, inOneAccess, laneByLane);
    value = choice.getResult(0);
  } else {
    value = gather();
  }
  return LaneValue::lanes(fromMemory(code, value, element));
}

void storeLanes(Code &code, const LaneValue &address, const LaneValue &value, Type element,
                const LaneValue &mask, unsigned lanes, unsigned alignment) {
  unsigned bytes = memoryBytes(element);
  Type scalar = memoryType(element);
  bool uniformMask = !mask || mask.isUniform();
  if (address.isUniform() && value.isUniform() && uniformMask) {
    Access access{scalar, alignment ? alignment : bytes, 1};
    auto store = [&] { vectorStore(code, toMemory(code, value.value), address.value, access, {}); };
    if (mask)
      when(code, mask.value, store);
    else
      store();
    return;
  }
  Access access{vectorOf(scalar, lanes), alignment ? alignment : bytes, lanes};
  Value data = toMemory(code, toVector(code, value, lanes));
  Value condition = mask ? toVector(code, mask, lanes) : Value();
  if (contiguous(address, bytes))
    return vectorStore(code, data, address.value, access, condition);
  Value addresses = toVector(code, address, lanes);
  auto scatter = [&] {
    Value on = condition ? condition : allLanes(code, lanes);
    code.b.create<LLVM::masked_scatter>(code.loc, data, code.pointer(addresses), on, bytes);
  };
  if (!address.isVector())
    return scatter();
  OpBuilder::InsertionGuard guard(code.b);
  auto branch = code.b.create<scf::IfOp>(code.loc, followEachOther(code, addresses, bytes, lanes),
                                         /*withElseRegion=*/true);
  markPaths(branch, inOneAccess, laneByLane);
  code.b.setInsertionPointToStart(branch.thenBlock());
  vectorStore(code, data, code.lane(addresses, 0), access, condition);
  code.b.setInsertionPointToStart(branch.elseBlock());
  scatter();
}

} // namespace trisect::cpu
