//===- NvptxMma.cpp - products of the tensor cores, and their operands ----------------------------------===//
#include "backends/cuda/emit/NvptxMachine.h"
#include "backends/cuda/emit/PtxAsm.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace trisect::cuda {

namespace {
struct Instruction {
  const char *shape;
  const char *types; ///< of d, a, b, c
};

Instruction instruction(MmaKind kind) {
  switch (kind) {
  case MmaKind::F16:
    return {"m16n8k16", "f32.f16.f16.f32"};
  case MmaKind::BF16:
    return {"m16n8k16", "f32.bf16.bf16.f32"};
  case MmaKind::TF32:
    return {"m16n8k8", "f32.tf32.tf32.f32"};
  case MmaKind::S8:
    return {"m16n8k32", "s32.s8.s8.s32"};
  case MmaKind::F64:
    return {"m8n8k4", "f64.f64.f64.f64"};
  }
  return {};
}
} // namespace

Words NvptxMachine::loadMatrices(Value *address, unsigned count, bool transposed) {
  PtxAsm code(b);
  SmallVector<std::string> words;
  for (unsigned i = 0; i < count; ++i)
    words.push_back(code.result(b.getInt32Ty()));
  code.text("ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") +
            ".shared.b16 {" + join(words, ", ") + "}, [" + code.operand(address) + "];");
  code.readsMemory();
  code.isConvergent();
  auto results = code.emit();
  return Words(results.begin(), results.end());
}

Words NvptxMachine::mma(MmaKind kind, ArrayRef<Value *> a, ArrayRef<Value *> right, ArrayRef<Value *> c) {
  PtxAsm code(b);
  SmallVector<std::string> d, first, second, third;
  for (Value *value : c)
    d.push_back(code.result(value->getType()));
  for (Value *value : a)
    first.push_back(code.operand(value));
  for (Value *value : right)
    second.push_back(code.operand(value));
  for (Value *value : c)
    third.push_back(code.operand(value));
  Instruction what = instruction(kind);
  // A vector even of one register has braces.
  auto vector = [](llvm::ArrayRef<std::string> names) {
    return names.size() == 1 ? "{" + names[0] + "}" : PtxAsm::list(names);
  };
  code.text(std::string("mma.sync.aligned.") + what.shape + ".row.col." + what.types + " " + vector(d) +
            ", " + vector(first) + ", " + vector(second) + ", " + vector(third) + ";");
  code.isConvergent();
  auto results = code.emit();
  return Words(results.begin(), results.end());
}

} // namespace trisect::cuda
