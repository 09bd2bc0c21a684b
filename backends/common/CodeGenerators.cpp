//===- CodeGenerators.cpp - the table of generators and what every target does with one -----------------===//
#include "backends/common/CodeGenerators.h"
#include "backends/common/BackendErrors.h"
#include "backends/common/PassTimes.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include <algorithm>
#include <mutex>

namespace trisect {

namespace {
struct Entry {
  CodeGenerator generator;
  void (*registerParts)();
  bool done = false;
};

// The assembly parsers read inline assembly; PTX has none.
Entry table[] = {
    {CodeGenerator::Host,
     [] {
       llvm::InitializeNativeTarget();
       llvm::InitializeNativeTargetAsmPrinter();
       llvm::InitializeNativeTargetAsmParser();
     }},
#ifdef TRISECT_LLVM_AARCH64
    {CodeGenerator::Aarch64,
     [] {
       LLVMInitializeAArch64TargetInfo();
       LLVMInitializeAArch64Target();
       LLVMInitializeAArch64TargetMC();
       LLVMInitializeAArch64AsmPrinter();
       LLVMInitializeAArch64AsmParser();
     }},
#endif
    {CodeGenerator::Nvptx,
     [] {
       LLVMInitializeNVPTXTargetInfo();
       LLVMInitializeNVPTXTarget();
       LLVMInitializeNVPTXTargetMC();
       LLVMInitializeNVPTXAsmPrinter();
     }},
    {CodeGenerator::Amdgpu,
     [] {
       LLVMInitializeAMDGPUTargetInfo();
       LLVMInitializeAMDGPUTarget();
       LLVMInitializeAMDGPUTargetMC();
       LLVMInitializeAMDGPUAsmPrinter();
       LLVMInitializeAMDGPUAsmParser();
     }},
};
} // namespace

void initialize(CodeGenerator generator) {
  // LLVM's list of targets has no lock of its own.
  static ForkMutex lock;
  std::lock_guard guard(lock);
  for (Entry &entry : table)
    if (entry.generator == generator && !entry.done) {
      entry.registerParts();
      entry.done = true;
    }
}

bool generatesFor(const std::string &triple) {
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  return target && target->hasTargetMachine();
}

std::vector<std::string> codeGenerators() {
  for (const Entry &entry : table)
    initialize(entry.generator);
  std::vector<std::string> names;
  for (const llvm::Target &target : llvm::TargetRegistry::targets())
    if (target.hasTargetMachine())
      names.emplace_back(target.getName());
  std::sort(names.begin(), names.end());
  return names;
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const MachineName &name) {
  std::string triple(name.triple), processor(name.processor), features(name.features), error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target || !target->hasTargetMachine())
    throw Unsupported("this build generates no code for '" + triple + "'");
  std::unique_ptr<llvm::MCSubtargetInfo> known(target->createMCSubtargetInfo(triple, "", ""));
  if (!processor.empty() && !known->isCPUStringValid(processor))
    throw Unsupported("LLVM knows no processor '" + processor + "' of '" + triple + "'");
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, processor, features, llvm::TargetOptions(), llvm::Reloc::PIC_));
}

std::string emitAssembly(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple().str());
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  PassTimes times("code of " + module.getName().str());
  llvm::legacy::PassManager passes;
  BackendErrors errors(module.getContext());
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    throw EngineError("LLVM emits no assembly for '" + machine.getTargetTriple().str() + "'");
  passes.run(module);
  errors.raise(machine.getTargetTriple().str());
  return std::string(text);
}

} // namespace trisect
