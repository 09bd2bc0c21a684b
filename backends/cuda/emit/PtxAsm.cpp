//===- PtxAsm.cpp - one inline PTX statement ------------------------------------------------------------===//
#include "backends/cuda/emit/PtxAsm.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace trisect::cuda {

const char *PtxAsm::registerClass(Type *type) {
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  switch (type->getScalarSizeInBits()) {
  case 1:
    return "b";
  case 16:
    return "h";
  case 64:
    return "l";
  default:
    return "r";
  }
}

std::string PtxAsm::result(Type *type, bool early) {
  types.push_back(type);
  outputs.push_back(std::string(early ? "=&" : "=") + registerClass(type));
  return "$" + std::to_string(outputs.size() - 1);
}

std::string PtxAsm::operand(Value *value) {
  values.push_back(value);
  inputs.push_back(registerClass(value->getType()));
  return "$" + std::to_string(outputs.size() + inputs.size() - 1);
}

std::string PtxAsm::place(Value *address) {
  Value *base = nullptr;
  ConstantInt *ahead = nullptr;
  if (PatternMatch::match(
          address, PatternMatch::m_Add(PatternMatch::m_Value(base), PatternMatch::m_ConstantInt(ahead))) &&
      isInt<32>(ahead->getSExtValue()))
    return "[" + operand(base) + "+" + std::to_string(ahead->getSExtValue()) + "]";
  return "[" + operand(address) + "]";
}

std::string PtxAsm::constant(int64_t value) { return std::to_string(value); }

std::string PtxAsm::guard(Value *predicate) { return predicate ? "@" + operand(predicate) + " " : ""; }

std::string PtxAsm::list(ArrayRef<std::string> names) {
  if (names.size() == 1)
    return names[0];
  std::string text = "{";
  for (const std::string &name : names)
    text += (text.size() > 1 ? ", " : "") + name;
  return text + "}";
}

SmallVector<Value *, 4> PtxAsm::emit() {
  std::string constraints;
  auto add = [&](const std::string &word) { constraints += (constraints.empty() ? "" : ",") + word; };
  for (const std::string &output : outputs)
    add(output);
  for (const std::string &input : inputs)
    add(input);
  if (memory)
    add("~{memory}");
  Type *result = types.empty()       ? b.getVoidTy()
                 : types.size() == 1 ? types[0]
                                     : StructType::get(b.getContext(), types);
  SmallVector<Type *> parameters;
  for (Value *value : values)
    parameters.push_back(value->getType());
  auto *type = FunctionType::get(result, parameters, false);
  CallInst *call = b.CreateCall(type, InlineAsm::get(type, body, constraints, sideEffect), values);
  call->setDoesNotThrow();
  if (convergent)
    call->setConvergent();
  if (reads)
    call->setOnlyReadsMemory();
  else if (!memory)
    call->setDoesNotAccessMemory();
  SmallVector<Value *, 4> results;
  if (types.size() == 1)
    results.push_back(call);
  else
    for (unsigned i = 0; i < types.size(); ++i)
      results.push_back(b.CreateExtractValue(call, i));
  return results;
}

} // namespace trisect::cuda
