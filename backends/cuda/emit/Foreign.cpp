//===- Foreign.cpp - inline assembly, functions of libraries, element maps ------------------------------===//
//
// What: tt.elementwise_inline_asm on groups of neighbours, packed into the registers that its constraints
// name; tt.extern_elementwise as calls into libdevice; tt.map_elementwise by its region.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/Elementwise.h"
#include "backends/gpu/layouts/Coalesced.h"
#include "core/ir/TypeUtils.h"

using namespace llvm;
using mlir::RankedTensorType;

namespace trisect::cuda {

namespace {
/// A layout of a shape in which groups of neighbours lie in a thread's first registers.
Placement grouped(Emitter &e, const Placement &given, unsigned group) {
  bool fits = given.held() >= group;
  for (unsigned step = 1; step < group && fits; step *= 2)
    fits = given.element(step) == step;
  if (fits)
    return given;
  const std::vector<int32_t> &shape = given.layout().shape();
  std::vector<int32_t> order;
  for (int32_t dim = int32_t(shape.size()) - 1; dim >= 0; --dim)
    order.push_back(dim);
  std::vector<int32_t> flat{static_cast<int32_t>(given.size())}, only{0};
  return Placement(
      gpu::coalesced(flat, only, static_cast<int32_t>(group), {static_cast<int32_t>(e.options.warps), 32})
          .reshaped(shape));
}

void emitMap(Emitter &e, tt::MapElementwiseOp op) {
  unsigned pack = op.getPack();
  const Placement &given = e.placement(op.getSrcs()[0].getType());
  Placement placement = grouped(e, given, pack);
  SmallVector<Parts> operands, results(op.getNumResults());
  for (mlir::Value source : op.getSrcs())
    operands.push_back(e.exchange(op, e.parts(source), e.placement(source.getType()), placement,
                                  tt::elementOf(source.getType())));
  for (unsigned n = 0; n < placement.held(); n += pack) {
    SmallVector<Value *> arguments;
    for (const Parts &operand : operands)
      arguments.append(operand.begin() + n, operand.begin() + n + pack);
    Parts values = e.inlineRegion(op.getScalarOp(), arguments);
    for (unsigned i = 0; i < results.size(); ++i)
      results[i].append(values.begin() + i * pack, values.begin() + (i + 1) * pack);
  }
  for (auto [result, parts] : zip(op.getResults(), results))
    e.set(result,
          e.exchange(op, parts, placement, e.placement(result.getType()), tt::elementOf(result.getType())));
}

void emitExtern(Emitter &e, tt::ExternElementwiseOp op) {
  if (!op.getSymbol().starts_with("__nv_"))
    unsupported(op, "'" + op.getSymbol().str() + "' of library '" + op.getLibname().str() + "'");
  Type *result = e.elementType(op.getType());
  Parts parts;
  for (unsigned n = 0; n < e.partTypes(op.getType()).size(); ++n) {
    SmallVector<Value *> operands;
    for (mlir::Value source : op.getSrcs()) {
      const Parts &values = e.parts(source);
      operands.push_back(values[values.size() == 1 ? 0 : n]);
    }
    parts.push_back(callLibdevice(e, op.getSymbol(), result, operands));
  }
  e.set(op, std::move(parts));
}

/// What a constraint asks for, without what it says of the operand; 0 if it asks for nothing.
char kindOf(StringRef constraint) {
  StringRef kind = constraint.ltrim("=&+");
  return kind.empty() ? '\0' : kind.front();
}

/// Bytes of the register that a constraint names.
unsigned registerBytes(StringRef constraint) {
  switch (kindOf(constraint)) {
  case 'h':
  case 'c':
    return 2;
  case 'l':
  case 'd':
    return 8;
  default:
    return 4;
  }
}

Type *registerType(IRBuilder<> &b, StringRef constraint) {
  switch (kindOf(constraint)) {
  case 'f':
    return b.getFloatTy();
  case 'd':
    return b.getDoubleTy();
  default:
    return b.getIntNTy(8 * registerBytes(constraint));
  }
}

class Assembly {
public:
  Assembly(Emitter &e, tt::ElementwiseInlineAsmOp op) : e(e), op(op) {
    SmallVector<StringRef> words;
    op.getConstraints().split(words, ',', -1, false);
    for (StringRef word : words) {
      word = word.trim();
      if (!kindOf(word) && !word.empty())
        unsupported(op, "the constraint '" + word.str() + "', which names no register");
      if (word.starts_with("="))
        outputs.push_back(word.str());
      else if (!word.starts_with("~"))
        inputs.push_back(word.str());
    }
  }

  void emit() {
    unsigned pack = op.getPackedElement();
    auto tensor = dyn_cast<RankedTensorType>(op.getNumResults() ? op.getResult(0).getType() : mlir::Type());
    std::optional<Placement> placement;
    if (tensor)
      placement.emplace(grouped(e, e.placement(tensor), std::min<int64_t>(pack, tensor.getNumElements())));
    SmallVector<Parts> operands, results(op.getNumResults());
    for (mlir::Value value : op.getArgs())
      operands.push_back(placement && isa<RankedTensorType>(value.getType())
                             ? e.exchange(op, e.parts(value), e.placement(value.getType()), *placement,
                                          tt::elementOf(value.getType()))
                             : e.parts(value));
    unsigned count = placement ? placement->held() : 1;
    for (unsigned n = 0; n < count; n += pack)
      runGroup(operands, n, std::min(pack, count - n), results);
    for (auto [result, parts] : zip(op.getResults(), results))
      e.set(result, placement ? e.exchange(op, parts, *placement, e.placement(result.getType()),
                                           tt::elementOf(result.getType()))
                              : parts);
  }

private:
  /// Elements in a row as the bits of registers, in the order of the constraints.
  void runGroup(ArrayRef<Parts> operands, unsigned first, unsigned count, MutableArrayRef<Parts> results) {
    IRBuilder<> &b = e.b;
    SmallVector<Value *> registers;
    size_t next = 0;
    for (const Parts &operand : operands) {
      SmallVector<Value *> bytes =
          bytesOf(ArrayRef(operand).slice(operand.size() == 1 ? 0 : first, operand.size() == 1 ? 1 : count));
      for (size_t at = 0; at < bytes.size() && next < inputs.size(); ++next) {
        size_t width = std::min<size_t>(registerBytes(inputs[next]), bytes.size() - at);
        registers.push_back(joined(ArrayRef(bytes).slice(at, width), registerType(b, inputs[next])));
        at += width;
      }
    }
    SmallVector<Type *> types;
    for (const std::string &output : outputs)
      types.push_back(registerType(b, output));
    Type *type = types.empty()       ? b.getVoidTy()
                 : types.size() == 1 ? types[0]
                                     : StructType::get(b.getContext(), types);
    Value *made = e.machine.assembly(op.getAsmString(), op.getConstraints(), type, registers, op.getPure());
    SmallVector<Value *> values;
    for (unsigned i = 0; i < types.size(); ++i)
      values.push_back(types.size() == 1 ? made : b.CreateExtractValue(made, i));
    take(values, count, results);
  }

  void take(ArrayRef<Value *> values, unsigned count, MutableArrayRef<Parts> results) {
    IRBuilder<> &b = e.b;
    size_t next = 0;
    for (auto [result, parts] : zip(op.getResults(), results)) {
      Type *element = e.elementType(result.getType());
      unsigned bytes = std::max(1u, static_cast<unsigned>(element->getScalarSizeInBits()) / 8);
      SmallVector<Value *> all;
      while (all.size() < size_t(bytes) * count && next < values.size())
        all.append(bytesOf({values[next++]}));
      for (unsigned i = 0; i < count; ++i) {
        if (all.size() < size_t(bytes) * (i + 1))
          unsupported(op, "its results need more registers than its constraints name");
        Value *word = joined(ArrayRef(all).slice(size_t(bytes) * i, bytes), b.getIntNTy(8 * bytes));
        parts.push_back(e.fromWord(word, element));
      }
    }
  }

  SmallVector<Value *> bytesOf(ArrayRef<Value *> values) {
    SmallVector<Value *> bytes;
    for (Value *value : values) {
      Value *word = e.toWord(value);
      for (unsigned shift = 0; shift < word->getType()->getIntegerBitWidth(); shift += 8)
        bytes.push_back(e.b.CreateTrunc(e.b.CreateLShr(word, shift), e.b.getInt8Ty()));
    }
    return bytes;
  }

  Value *joined(ArrayRef<Value *> bytes, Type *type) {
    Type *word = e.b.getIntNTy(type->getScalarSizeInBits());
    Value *sum = ConstantInt::get(word, 0);
    for (auto [i, byte] : enumerate(bytes))
      sum = e.b.CreateOr(sum, e.b.CreateShl(e.b.CreateZExt(byte, word), 8 * i));
    return type->isIntegerTy() ? sum : e.b.CreateBitCast(sum, type);
  }

  Emitter &e;
  tt::ElementwiseInlineAsmOp op;
  SmallVector<std::string> outputs, inputs;
};
} // namespace

bool emitForeign(Emitter &e, mlir::Operation *op) {
  if (auto map = dyn_cast<tt::MapElementwiseOp>(op))
    emitMap(e, map);
  else if (auto function = dyn_cast<tt::ExternElementwiseOp>(op))
    emitExtern(e, function);
  else if (auto code = dyn_cast<tt::ElementwiseInlineAsmOp>(op))
    Assembly(e, code).emit();
  else
    return false;
  return true;
}

} // namespace trisect::cuda
