//===- HostMachine.cpp - detection of the processor -----------------------------------------------------===//
#include "backends/cpu/orc/HostMachine.h"
#include "backends/common/CodeGenerators.h"
#include "core/support/Outcome.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <cstdlib>

namespace trisect::cpu {

namespace {
unsigned vectorBytesOf(const llvm::StringMap<bool> &features) {
  auto has = [&](llvm::StringRef name) {
    auto found = features.find(name);
    return found != features.end() && found->second;
  };
  if (has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl"))
    return 64;
  return has("avx2") ? 32 : 16;
}

HostMachine detect() {
  initialize(CodeGenerator::Host);
  HostMachine machine;
  machine.triple = llvm::sys::getProcessTriple();
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  const char *level = std::getenv("TRISECT_CPU_ISA");
  if (!level) {
    machine.processor = llvm::sys::getHostCPUName().str();
    machine.vectorBytes = vectorBytesOf(features);
    // Without this preference LLVM splits 64-byte vectors on many processors that run them at full speed.
    llvm::SubtargetFeatures list;
    for (const auto &feature : features)
      list.AddFeature(feature.first(), feature.second);
    if (machine.vectorBytes == 64)
      list.AddFeature("prefer-256-bit", false);
    machine.features = list.getString();
    return machine;
  }
  std::string_view want = level;
  if (want == "v2")
    machine.processor = "x86-64-v2", machine.vectorBytes = 16;
  else if (want == "avx2")
    machine.processor = "x86-64-v3", machine.vectorBytes = 32;
  else if (want == "avx512")
    machine.processor = "x86-64-v4", machine.vectorBytes = 64, machine.features = "-prefer-256-bit";
  else
    throw InvalidInput("TRISECT_CPU_ISA is '" + std::string(want) + "'; expected v2, avx2 or avx512");
  if (machine.vectorBytes > vectorBytesOf(features))
    throw InvalidInput("TRISECT_CPU_ISA is '" + std::string(want) + "', which this processor does not have");
  return machine;
}
} // namespace

const HostMachine &hostMachine() {
  static const HostMachine machine = detect();
  return machine;
}

std::unique_ptr<llvm::TargetMachine> makeTargetMachine() {
  const HostMachine &host = hostMachine();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(host.triple, error);
  if (!target)
    throw EngineError("cpu: no LLVM target for '" + host.triple + "': " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(host.triple, host.processor, host.features, options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  if (!machine)
    throw EngineError("cpu: LLVM gives no target machine for '" + host.describe() + "'");
  return machine;
}

} // namespace trisect::cpu
