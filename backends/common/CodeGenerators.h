//===- CodeGenerators.h - LLVM's code generators that this build carries --------------------------------===//
//
// What: registers LLVM's generators for this machine, 64-bit Arm, NVIDIA (PTX) and AMD (GCN) GPUs, makes
// target machines for them, and emits assembly text. Why: one table says which generators are linked in; a
// static build carries exactly these, since the linker takes what the table refers to. Limits: text alone;
// objects and their loading belong to the back end that runs them. A static build has Arm's on an Arm machine
// alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_CODEGENERATORS_H
#define TRISECT_BACKENDS_COMMON_CODEGENERATORS_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace trisect {

enum class CodeGenerator : uint8_t { Host, Aarch64, Nvptx, Amdgpu };

/// What code is generated for: `nvptx64-nvidia-cuda`, `sm_90`, `+ptx83`.
struct MachineName {
  std::string_view triple;
  std::string_view processor = {};
  std::string_view features = {};
};

/// Registers one generator with LLVM, if this build has it; cheap after the first time.
void initialize(CodeGenerator generator);
/// Whether a generator that has been registered makes code for `triple`.
bool generatesFor(const std::string &triple);
/// Registers all; the architectures that LLVM then generates code for, sorted: `amdgcn`, `nvptx64`, `x86-64`
/// ...
std::vector<std::string> codeGenerators();
/// A target machine of a registered generator; throws Unsupported if there is none for this triple or
/// processor.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const MachineName &name);
/// Gives `module` the layout of `machine` and returns the assembly text; throws EngineError if LLVM refuses.
std::string emitAssembly(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_CODEGENERATORS_H
