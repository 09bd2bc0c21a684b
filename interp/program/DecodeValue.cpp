//===- DecodeValue.cpp - operations without memory or control -------------------------------------------===//
#include "core/ir/ArgumentHints.h"
#include "core/ir/Dialect.h"
#include "core/ir/Ops.h"
#include "core/ir/TypeUtils.h"
#include "core/passes/RequireDefined.h"
#include "core/support/Enums.h"
#include "interp/program/Decoder.h"
#include "mlir/IR/BuiltinAttributes.h"
#include <optional>

namespace trisect::interp {

namespace {

uint64_t bitsOf(const llvm::APInt &value) { return value.getZExtValue(); }

/// The bits of a scalar attribute in the format of its type; nothing for other attributes.
std::optional<uint64_t> scalarAttribute(mlir::Attribute attribute) {
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(attribute))
    return bitsOf(number.getValue());
  if (auto number = llvm::dyn_cast<mlir::FloatAttr>(attribute))
    return bitsOf(number.getValue().bitcastToAPInt());
  return std::nullopt;
}

/// What tier 0 computes for a precision that a product asks for.
std::optional<DotPrecision> precisionOf(attr::InputPrecision precision) {
  switch (precision) {
  case attr::InputPrecision::Tf32:
    return DotPrecision::Tf32;
  case attr::InputPrecision::Tf32x3:
    return DotPrecision::Tf32x3;
  case attr::InputPrecision::Ieee:
    return DotPrecision::Ieee;
  case attr::InputPrecision::Bf16x3:
    return DotPrecision::Bf16x3;
  case attr::InputPrecision::Bf16x6:
    return DotPrecision::Bf16x6;
  case attr::InputPrecision::Blocks:
    return DotPrecision::Blocks;
  }
  return std::nullopt;
}

/// i4 values lie sign-extended in a byte.
uint64_t stored(uint64_t bits, DType type) {
  return type == DType::I4 ? uint8_t(int8_t(bits << 4) >> 4) : bits;
}

/// What attributes promise of a value; of `lists`, single numbers are none.
std::optional<Hint> promised(mlir::DictionaryAttr attributes, bool lists) {
  if (!attributes || attributes.empty())
    return std::nullopt;
  auto numbers = [&](llvm::StringRef name) {
    std::vector<int64_t> found;
    mlir::Attribute attribute = attributes.get(name);
    if (auto elements = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(attribute))
      for (const llvm::APInt &each : elements.getValues<llvm::APInt>())
        found.push_back(each.getSExtValue());
    else if (auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute); number && !lists)
      found.push_back(number.getInt());
    return found;
  };
  Hint hint{numbers(tt::kDivisibilityAttr), numbers(tt::kContiguityAttr), numbers(tt::kConstancyAttr)};
  if (hint.divisibility.empty() && hint.contiguity.empty() && hint.constancy.empty())
    return std::nullopt;
  return hint;
}

/// Bytes of an element that a value's pointers lead to; 0 for anything else.
uint32_t pointeeBytes(mlir::Value value) {
  mlir::Type pointee = tt::pointeeOf(value.getType());
  std::optional<DType> element = pointee ? tt::dtypeOf(pointee) : std::nullopt;
  return element ? byteSize(*element) : 0;
}

} // namespace

void Decoder::constant(mlir::Operation *op) {
  mlir::Attribute attribute = op->getAttr("value");
  mlir::Value result = op->getResult(0);
  DType type = dtype(tt::elementOf(result.getType()), op);
  auto scalar = scalarAttribute(attribute);
  if (scalar && !llvm::isa<mlir::RankedTensorType>(result.getType())) {
    bind(result, {constantSlot(type, stored(*scalar, type))});
    return;
  }
  auto elements = llvm::dyn_cast<mlir::DenseElementsAttr>(attribute);
  if (!elements)
    unsupported(op, "a constant that is not dense");
  SlotId to = define(result).front();
  program.slots[to].constant = true;
  Constant made;
  made.slot = to;
  if (elements.isSplat()) {
    made.bits = stored(*scalarAttribute(elements.getSplatValue<mlir::Attribute>()), type);
  } else {
    made.splat = false;
    unsigned size = byteSize(type);
    made.data.reserve(elements.getNumElements() * size);
    for (mlir::Attribute element : elements.getValues<mlir::Attribute>()) {
      uint64_t bits = stored(*scalarAttribute(element), type);
      const auto *bytes = reinterpret_cast<const uint8_t *>(&bits);
      made.data.insert(made.data.end(), bytes, bytes + size);
    }
  }
  program.constants.push_back(std::move(made));
}

void Decoder::hints(mlir::Operation *op) {
  if (op->getNumResults() != 1 || program.code.empty())
    return;
  std::optional<Hint> hint = promised(op->getDiscardableAttrDictionary(), /*lists=*/false);
  const Slots &made = hint ? slots(op->getResult(0)) : Slots();
  if (made.size() != 1)
    return;
  hint->location = currentLocation;
  hint->pointee = pointeeBytes(op->getResult(0));
  program.hints[made.front()] = std::move(*hint);
}

void Decoder::hints(llvm::ArrayRef<mlir::BlockArgument> arguments) {
  for (mlir::BlockArgument argument : arguments) {
    // A single number of a function's argument is what a launch was specialised for.
    std::optional<Hint> hint = promised(tt::argumentHints(argument), /*lists=*/true);
    if (!hint || slots(argument).size() != 1)
      continue;
    SlotId given = slot(argument);
    SlotId kept = define(argument).front();
    program.slots[kept].name = program.slots[given].name;
    emitMove({given}, {kept});
    hint->location = currentLocation;
    hint->pointee = pointeeBytes(argument);
    program.hints[kept] = std::move(*hint);
  }
}

void Decoder::simple(mlir::Operation *op, Opcode opcode, uint64_t attribute) {
  Slots operands = gather(op->getOperands());
  Slots results;
  for (mlir::Value result : op->getResults())
    results.append(define(result));
  emit(opcode, operands, results);
  last().attribute = attribute;
}

void Decoder::elementwise(mlir::Operation *op, OpId id) {
  if (id == OpId::tt_elementwise_inline_asm)
    return inlineAsm(op);
  mlir::Value result = op->getResult(0);
  // The table goes by the value of a select and by the offset of an addptr.
  mlir::Type keyType = op->getOperand(id == OpId::arith_select || id == OpId::tt_addptr).getType();
  // A choice between block pointers or descriptors chooses each of their parts.
  if (id == OpId::arith_select && (tt::isBlockPointer(keyType) || llvm::isa<tt::TensorDescType>(keyType))) {
    Slots yes = slots(op->getOperand(1)), no = slots(op->getOperand(2));
    SlotId condition = slot(op->getOperand(0));
    Slots chosen = define(result);
    for (size_t part = 0; part < chosen.size(); ++part) {
      emit(Opcode::Elementwise, {condition, yes[part], no[part]}, {chosen[part]});
      DType type = program.slots[chosen[part]].type;
      for (Numerics numerics : {Numerics::Ieee, Numerics::Cuda})
        last().kernel[int(numerics)] = elementwiseKernel({id, type, type}, numerics);
    }
    return;
  }
  DType from = dtype(tt::elementOf(keyType), op), to = dtype(tt::elementOf(result.getType()), op);
  ElementwiseFn kernel[2];
  if (id == OpId::tt_extern_elementwise) {
    auto symbol = op->getAttrOfType<mlir::StringAttr>("symbol");
    kernel[0] = kernel[1] = externKernel(symbol.getValue(), from, to);
    if (!kernel[0])
      unsupported(op, "external function '" + symbol.getValue().str() + "'");
  } else {
    for (Numerics numerics : {Numerics::Ieee, Numerics::Cuda})
      kernel[int(numerics)] = elementwiseKernel({id, from, to}, numerics);
    bool sameBits = id == OpId::tt_bitcast || id == OpId::arith_bitcast || id == OpId::tt_int_to_ptr ||
                    id == OpId::tt_ptr_to_int;
    if (!kernel[0] && !(sameBits && byteSize(from) == byteSize(to)))
      unsupported(op, op->getName().getStringRef().str() + " of " + std::string(trisect::name(from)) +
                          (from == to ? "" : " to " + std::string(trisect::name(to))));
  }
  uint64_t attribute = 0;
  switch (id) {
  case OpId::arith_cmpi:
  case OpId::arith_cmpf:
    attribute = intAttr(op, "predicate");
    break;
  case OpId::tt_fp_to_fp:
    attribute = intAttr(op, "rounding", int64_t(attr::RoundingMode::NearestEven));
    break;
  case OpId::tt_clampf:
    attribute = intAttr(op, "propagateNan");
    break;
  case OpId::tt_extern_elementwise:
    if (isAnotherNameOfAnOp(op->getAttrOfType<mlir::StringAttr>("symbol").getValue()))
      attribute = anotherNameOfAnOp;
    break;
  case OpId::tt_addptr:
    attribute = byteSize(dtype(tt::pointerOf(op->getOperand(0).getType()).getPointeeType(), op));
    break;
  default:
    break;
  }
  simple(op, Opcode::Elementwise, attribute);
  last().kernel[0] = kernel[0];
  last().kernel[1] = kernel[1];
}

void Decoder::shape(mlir::Operation *op, OpId id) {
  switch (id) {
  case OpId::tt_get_program_id:
    return simple(op, Opcode::ProgramId, intAttr(op, "axis"));
  case OpId::tt_get_num_programs:
    return simple(op, Opcode::NumPrograms, intAttr(op, "axis"));
  case OpId::tt_make_range: {
    SlotId to = define(op->getResult(0)).front();
    program.slots[to].constant = true;
    Constant range;
    range.slot = to;
    range.range = true;
    range.bits = static_cast<uint64_t>(intAttr(op, "start"));
    program.constants.push_back(range);
    return;
  }
  case OpId::arith_constant:
    return constant(op);
  case OpId::ub_poison:
  case OpId::llvm_mlir_undef:
    return simple(op, Opcode::Undefined);
  case OpId::tt_splat:
    return simple(op, Opcode::Splat);
  case OpId::tt_unsplat:
    return simple(op, Opcode::Unsplat);
  case OpId::tt_expand_dims:
    return simple(op, Opcode::ExpandDims, intAttr(op, "axis"));
  case OpId::tt_broadcast:
    return simple(op, Opcode::Broadcast);
  case OpId::tt_reshape:
    return simple(op, Opcode::Reshape);
  case OpId::tt_trans: {
    simple(op, Opcode::Transpose);
    auto order = op->getAttrOfType<mlir::DenseI32ArrayAttr>("order");
    Extra &extra = newExtra(last());
    for (int32_t d : order.asArrayRef())
      extra.ints.push_back(d);
    return;
  }
  case OpId::tt_cat:
    return simple(op, Opcode::Cat);
  case OpId::tt_join:
    return simple(op, Opcode::Join);
  case OpId::tt_split:
    return simple(op, Opcode::Split);
  case OpId::tt_gather:
    return simple(op, Opcode::Gather, intAttr(op, "axis"));
  case OpId::tt_histogram:
    return simple(op, Opcode::Histogram);
  case OpId::tt_dot:
    return dot(op);
  case OpId::tt_dot_scaled:
    return dotScaled(op);
  default:
    unsupported(op, "operation " + op->getName().getStringRef().str());
  }
}

void Decoder::dot(mlir::Operation *op) {
  DType a = dtype(tt::elementOf(op->getOperand(0).getType()), op);
  DType b = dtype(tt::elementOf(op->getOperand(1).getType()), op);
  DType c = dtype(tt::elementOf(op->getOperand(2).getType()), op);
  int64_t asked = intAttr(op, "inputPrecision", int64_t(attr::InputPrecision::Ieee));
  std::optional<DotPrecision> precision = precisionOf(static_cast<attr::InputPrecision>(asked));
  if (!precision)
    invalid(op, "unknown inputPrecision " + std::to_string(asked));
  // A precision concerns f32 operands alone and allows; an order concerns bf16 ones and binds every profile.
  bool ordered = precision == DotPrecision::Blocks;
  DotPrecision all = DotPrecision::Ieee;
  if (ordered && a == DType::BF16 && b == DType::BF16 && c == DType::F32)
    all = DotPrecision::Blocks;
  DotPrecision rounded = a == DType::F32 && b == DType::F32 && !ordered ? *precision : all;
  DotFn kernels[] = {dotKernel(a, b, c, all), dotKernel(a, b, c, rounded)};
  if (!kernels[0] || !kernels[1])
    unsupported(op, "tt.dot of " + std::string(trisect::name(a)) + " and " + std::string(trisect::name(b)) +
                        " into " + std::string(trisect::name(c)));
  simple(op, Opcode::Dot);
  Extra &extra = newExtra(last());
  extra.dot[0] = kernels[0];
  extra.dot[1] = kernels[1];
}

void Decoder::dotScaled(mlir::Operation *op) {
  // Operands come in segments: a, b, c, scale of a, scale of b.
  auto segments = op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
  Slots all = gather(op->getOperands());
  SlotId parts[5];
  unsigned at = 0;
  for (unsigned n = 0; n < 5; ++n)
    parts[n] = segments[n] ? all[at++] : noSlot;
  Slots results = define(op->getResult(0));
  emit(Opcode::DotScaled, {parts[0], parts[3], parts[1], parts[4], parts[2]}, results);
  auto format = [&](const char *now, const char *old) { return intAttr(op, now, intAttr(op, old, -1)); };
  newExtra(last()).ints = {format("a_elem_type", "lhs_type"), format("b_elem_type", "rhs_type"),
                           intAttr(op, "lhs_k_pack", 1), intAttr(op, "rhs_k_pack", 1),
                           intAttr(op, "fastMath")};
}

void Decoder::debug(mlir::Operation *op, OpId id) {
  switch (id) {
  case OpId::tt_print: {
    if (auto facts = op->getAttrOfType<mlir::DictionaryAttr>("tt.statement"))
      return statement(op, facts);
    simple(op, Opcode::Print);
    Extra &extra = newExtra(last());
    if (auto prefix = op->getAttrOfType<mlir::StringAttr>("prefix"))
      extra.text = prefix.getValue().str();
    if (auto format = op->getAttrOfType<mlir::StringAttr>("trisect.format")) {
      extra.text = format.getValue().str();
      extra.more.push_back(1);
    }
    extra.ints.push_back(intAttr(op, "hex"));
    if (auto isSigned = op->getAttrOfType<mlir::DenseI32ArrayAttr>("isSigned"))
      for (int32_t flag : isSigned.asArrayRef())
        extra.ints.push_back(flag);
    return;
  }
  case OpId::tt_assert: {
    simple(op, Opcode::Assert);
    auto defined = op->getAttrOfType<mlir::BoolAttr>(tt::kDefinedAttr);
    last().attribute = defined ? defined.getValue() ? AssertsOrigin : AssertsSide : AssertsUser;
    if (auto message = op->getAttrOfType<mlir::StringAttr>("message"))
      newExtra(last()).text = message.getValue().str();
    return;
  }
  case OpId::llvm_intr_assume:
    emit(Opcode::Assume, {slot(op->getOperand(0))}, {});
    return;
  default:
    return; // barriers: the operations of one program take effect in program order anyway
  }
}

} // namespace trisect::interp
