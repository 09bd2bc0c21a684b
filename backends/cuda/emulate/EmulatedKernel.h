//===- EmulatedKernel.h - a kernel of tier 2 on the host ------------------------------------------------===//
//
// What: emits a kernel for HostMachine, links it into this process and runs its grids in the emulator.
// Limits: see Emulator.h; arguments are addresses of this process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_EMULATEDKERNEL_H
#define TRISECT_BACKENDS_CUDA_EMULATE_EMULATEDKERNEL_H

#include "backends/cpu/orc/Loader.h"
#include "backends/cuda/Compile.h"
#include "backends/cuda/emit/Machine.h"
#include "backends/cuda/emulate/Emulator.h"
#include "backends/cuda/emulate/InlineAssembly.h"
#include "core/support/Launch.h"
#include <memory>

namespace trisect::cuda {

/// Changes what was emitted, as a test that makes a mistake does.
using CodeChange = std::function<void(llvm::Module &, const Machine &)>;

class EmulatedKernel {
public:
  /// Compiles `kernel` of a copy of `module`; throws Unsupported or EngineError.
  EmulatedKernel(mlir::ModuleOp module, std::string_view kernel, const EmitOptions &options,
                 AssemblyReader reader, const CodeChange &change = {});

  /// Runs the grid. Throws KernelFault for a failed assertion.
  void launch(const LaunchRequest &request, uint64_t seed, const std::function<bool()> &shallStop = {},
              GlobalMemory *memory = nullptr);

private:
  std::vector<uint64_t> deviceArguments(const LaunchRequest &request) const;
  void report(const std::vector<uint32_t> &records) const;

  std::string name;
  EmitOptions options;
  EmittedKernel emitted;
  std::vector<int32_t> descriptorRanks;               ///< of each argument of the launch; 0: no descriptor
  std::vector<std::unique_ptr<InlineAssembly>> texts; ///< that the code calls
  std::unique_ptr<cpu::LoadedObject> code;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_EMULATEDKERNEL_H
