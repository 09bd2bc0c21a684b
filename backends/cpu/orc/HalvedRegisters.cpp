//===- HalvedRegisters.cpp - functions that read more than they compute ---------------------------------===//
#include "backends/cpu/orc/HalvedRegisters.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/orc/WideLoads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <string>

namespace trisect::cpu {

namespace {
using namespace llvm;

/// Computations for each load, of which memory's time is longer still.
constexpr auto mostForEachLoad = 2;
/// Those of what is not the loop over memory: an end under a mask, accumulators that are folded.
constexpr auto mostBeside = 16;

bool hasVectors(const Instruction &instruction) {
  return instruction.getType()->isVectorTy() ||
         any_of(instruction.operands(), [](const Use &each) { return each->getType()->isVectorTy(); });
}

/// Whether code generation takes an instruction apart wherever its vectors are too long, and nobody else
/// expects them whole.
bool canBeSplit(const Instruction &instruction) {
  if (!hasVectors(instruction))
    return true;
  if (isa<StoreInst, ReturnInst>(instruction))
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  Intrinsic::ID called = call ? call->getIntrinsicID() : Intrinsic::not_intrinsic;
  return !call || (called != Intrinsic::not_intrinsic && !Function::isTargetIntrinsic(called));
}

/// Whether a function waits for memory alone, which it reads.
bool readsMemory(const Function &function) {
  if (function.isDeclaration() || !all_of(instructions(function), canBeSplit))
    return false;
  bool reads = false;
  for (const BasicBlock &block : function) {
    auto loads = count_if(block, isWideLoad);
    if (count_if(block, computes) > (loads ? mostForEachLoad * loads : mostBeside))
      return false;
    reads |= loads != 0;
  }
  return reads;
}
} // namespace

void halveRegisters(Module &module, const Machine &machine) {
  if (!machine.takesHalves())
    return;
  std::string bits = std::to_string(halfBytes * 8);
  for (Function &function : module)
    if (readsMemory(function)) {
      function.addFnAttr("prefer-vector-width", bits);
      function.addFnAttr("min-legal-vector-width", bits); // else all vectors that there are may be legal
    }
}

} // namespace trisect::cpu
