//===- NvptxCopies.cpp - copies to shared memory that go on beside other work ---------------------------===//
//
// What: cp.async of sm_80 and later. Pieces of 16 bytes pass by L1. A false predicate copies nothing and
// fills with zeros. Limits: eviction words have no place in the instruction.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/emit/NvptxMachine.h"
#include "backends/cuda/emit/PtxAsm.h"

using namespace llvm;

namespace trisect::cuda {

void NvptxMachine::copyToShared(Value *shared, Value *address, unsigned bytes, Value *predicate, Value *mine,
                                const CacheWords &cache) {
  PtxAsm code(b);
  bool aroundL1 = bytes == 16 && cache.cache != tt::CacheModifier::Ca;
  std::string guard = code.guard(mine), to = code.operand(shared), from = code.operand(address);
  std::string text = guard + "cp.async." + (aroundL1 ? "cg" : "ca") + ".shared.global [" + to + "], [" +
                     from + "], " + std::to_string(bytes);
  if (predicate)
    text += ", " + code.operand(b.CreateSelect(predicate, b.getInt32(bytes), b.getInt32(0)));
  code.text(text + ";");
  code.touchesMemory();
  code.emit();
}

void NvptxMachine::commitCopies() {
  PtxAsm code(b);
  code.text("cp.async.commit_group;");
  code.touchesMemory();
  code.emit();
}

void NvptxMachine::waitForCopies(unsigned pending) {
  PtxAsm code(b);
  code.text("cp.async.wait_group " + std::to_string(pending) + ";");
  code.touchesMemory();
  code.emit();
}

} // namespace trisect::cuda
