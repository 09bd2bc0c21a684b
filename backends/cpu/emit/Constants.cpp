//===- Constants.cpp - compares or a table --------------------------------------------------------------===//
#include "backends/cpu/emit/Constants.h"
#include "backends/cpu/emit/Memory.h"
#include "backends/cpu/emit/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using arith::CmpIPredicate;

namespace trisect::cpu {

namespace {
/// More elements than this cost less as a table.
constexpr int64_t mostCompares = 16;

APInt bitsOf(Attribute attribute) {
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValue().bitcastToAPInt();
  return cast<IntegerAttr>(attribute).getValue();
}

Value constantElement(Code &code, Attribute attribute, Type element) {
  Type type = emittedType(element);
  APInt bits = bitsOf(attribute);
  if (isa<FloatType>(type))
    return code.realBits(type, bits.getZExtValue());
  return code.integer(type, bits.getSExtValue());
}

LaneValue chosen(Code &code, DenseElementsAttr dense, Type element, const LaneValue &position,
                 unsigned lanes) {
  Value where = toVector(code, position, lanes), result;
  for (auto [i, attribute] : llvm::enumerate(dense.getValues<Attribute>())) {
    Value here = constantElement(code, attribute, element);
    Value all = isa<VectorType>(where.getType()) ? code.splat(here, lanes) : here;
    Value hit = code.cmp(CmpIPredicate::eq, where, code.integer(where.getType(), i));
    result = result ? code.select(hit, all, result) : all;
  }
  return LaneValue::lanes(result);
}

/// The block as it would lie in memory.
std::string bytesOf(DenseElementsAttr dense, unsigned width) {
  std::string bytes;
  for (Attribute attribute : dense.getValues<Attribute>()) {
    uint64_t bits = bitsOf(attribute).getZExtValue();
    for (unsigned n = 0; n < width; ++n)
      bytes.push_back(static_cast<char>(bits >> (8 * n)));
  }
  return bytes;
}

} // namespace

Value constantBytes(Code &code, StringRef bytes) {
  auto module = code.b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name;
  int tables = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (!global.getSymName().starts_with("constant."))
      continue;
    ++tables;
    if (cast<StringAttr>(global.getValueAttr()).getValue() == bytes)
      name = global.getSymName().str();
  }
  if (name.empty()) {
    name = "constant." + std::to_string(tables);
    OpBuilder::InsertionGuard guard(code.b);
    code.b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(code.i8(), bytes.size());
    code.b.create<LLVM::GlobalOp>(code.loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                                  code.b.getStringAttr(bytes), /*alignment=*/64);
  }
  auto pointer = LLVM::LLVMPointerType::get(code.b.getContext());
  Value address = code.b.create<LLVM::AddressOfOp>(code.loc, pointer, name);
  return code.b.create<LLVM::PtrToIntOp>(code.loc, code.i64(), address);
}

LaneValue constantAt(Code &code, DenseElementsAttr dense, Type element, const LaneValue &position,
                     unsigned lanes) {
  if (dense.isSplat())
    return LaneValue::uniform(constantElement(code, dense.getSplatValue<Attribute>(), element));
  if (dense.getNumElements() <= mostCompares)
    return chosen(code, dense, element, position, lanes);
  unsigned width = memoryBytes(element);
  LaneValue table = LaneValue::uniform(constantBytes(code, bytesOf(dense, width)));
  LaneValue offset = mulLanes(code, position, LaneValue::uniform(code.i64(width)), lanes);
  return loadLanes(code, addLanes(code, table, offset, lanes), element, {}, lanes);
}

} // namespace trisect::cpu
