//===- CudaTarget.cpp - tier 2 for NVIDIA GPUs as a target ----------------------------------------------===//
//
// What: registers the target `cuda`: TTIR through tile IR, LLVM and PTX to a cubin, and the devices that run
// it.
// Why: needs no GPU to compile; without ptxas the code of an artifact is PTX, which the driver assembles when
// it is loaded.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/Compile.h"
#include "backends/cuda/CudaOptions.h"
#include "backends/cuda/driver/Assembler.h"
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/launch/CudaDevice.h"
#include "backends/cuda/launch/CudaMemory.h"
#include "backends/cuda/launch/KernelInfo.h"
#include "backends/target/Target.h"
#include "core/ir/Parse.h"
#include "core/ir/Types.h"
#include "core/support/DumpSink.h"
#include "core/support/Lasting.h"
#include "core/support/Options.h"
#include <cstdio>
#include <regex>

namespace trisect::cuda {

namespace {

/// The rank of each argument that is a descriptor, -1 for the others.
std::vector<int8_t> descriptorRanks(mlir::ModuleOp module, std::string_view kernel) {
  auto function = module.lookupSymbol<tt::FuncOp>(llvm::StringRef(kernel));
  if (!function)
    throw InvalidInput("the module has no kernel '" + std::string(kernel) + "'");
  std::vector<int8_t> ranks;
  for (mlir::Type type : function.getArgumentTypes()) {
    auto descriptor = mlir::dyn_cast<tt::TensorDescType>(type);
    ranks.push_back(descriptor ? static_cast<int8_t>(descriptor.getBlockType().getRank()) : int8_t(-1));
  }
  return ranks;
}

void setPtxVersion(std::string &ptx, int64_t version) {
  static const Lasting<std::regex> line("\\.version +[0-9]+\\.[0-9]+");
  ptx = std::regex_replace(ptx, *line,
                           ".version " + std::to_string(version / 10) + "." + std::to_string(version % 10),
                           std::regex_constants::format_first_only);
}

driver::AssembleOptions assembleOptions(const CudaOptions &options) {
  driver::AssembleOptions result;
  result.architecture = options.architecture();
  result.fuse = options.enable_fp_fusion;
  result.lineInfo = !optionFlag(OptionId::DisableLineInfo);
  result.optimise = !optionFlag(OptionId::DisablePtxasOpt);
  result.further = options.ptx_options.value_or(optionText(OptionId::PtxasOptions));
  return result;
}

DumpKind kindOf(std::string_view stage) {
  if (stage == "ttgir")
    return DumpKind::Mlir;
  return stage == "llir" ? DumpKind::LlvmIr : stage == "ptx" ? DumpKind::Ptx : DumpKind::Binary;
}

/// Makes the cubin the artifact's code where there is an assembler.
void assemble(Artifact &artifact, const std::string &ptx, const CudaOptions &options) {
  auto assembler = driver::Assembler::find();
  if (!assembler)
    return;
  driver::Assembled made = assembler->assemble(ptx, assembleOptions(options));
  if (optionFlag(OptionId::DumpPtxasLog))
    std::fputs(made.log.c_str(), stderr);
  artifact.resources.registers = made.report.registers;
  artifact.resources.spills = (made.report.spillStores + made.report.spillLoads) / 4;
  artifact.stages.push_back({"cubin", made.cubin, true});
  artifact.code = std::move(made.cubin);
}

class CudaTarget final : public Target {
public:
  std::string_view name() const override { return "cuda"; }
  NumericProfile numerics() const override { return NumericProfile::Cuda; }
  std::span<const OptionRow> optionRows() const override { return CudaOptions::rows(); }
  std::unique_ptr<const TargetOptions> readOptions(const OptionTexts &texts) const override {
    return std::make_unique<CudaOptions>(CudaOptions::read(texts));
  }
  std::string isa(const TargetOptions &options) const override {
    auto assembler = driver::Assembler::find();
    return static_cast<const CudaOptions &>(options).architecture() + ", " +
           (assembler ? "ptxas " + assembler->version() : "the driver's assembler");
  }
  Device *device(DeviceId where) override {
    return where.kind == DeviceKind::Cuda ? cudaDevice(where.index) : nullptr;
  }

  Artifact compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &given,
                   Form) override {
    const auto &options = static_cast<const CudaOptions &>(given);
    if (!options.artifact.empty())
      return deserialize(options.artifact);
    DumpSink sink{std::string(kernel)};
    if (sink.wants(DumpKind::Mlir))
      sink.write(DumpKind::Mlir, "ttir", tt::printModule(module));
    PtxKernel made = compileToPtx(module, kernel, ptxOptions(options));
    if (options.ptx_version)
      setPtxVersion(made.ptx, *options.ptx_version);
    Artifact artifact = describe(made, kernel, options);
    artifact.info = pack({descriptorRanks(module, kernel), options.launch_cooperative_grid,
                          options.launch_pdl, std::move(made.sites), std::move(made.questions)});
    assemble(artifact, made.ptx, options);
    for (const Stage &stage : artifact.stages)
      sink.write(kindOf(stage.name), stage.name, stage.content);
    return artifact;
  }

private:
  static PtxOptions ptxOptions(const CudaOptions &options) {
    PtxOptions result;
    result.capability = static_cast<unsigned>(options.capability);
    result.emit.warps = static_cast<unsigned>(options.num_warps);
    result.emit.stages = static_cast<unsigned>(options.num_stages);
    result.emit.maxRegisters = static_cast<unsigned>(options.maxnreg.value_or(0));
    result.emit.fusion = options.enable_fp_fusion;
    result.emit.lineInfo = !optionFlag(OptionId::DisableLineInfo);
    result.wantLlvm = true;
    result.ttgirFile = options.ttgir_file;
    return result;
  }

  Artifact describe(const PtxKernel &made, std::string_view kernel, const CudaOptions &options) const {
    Artifact artifact = artifactOf(kernel, options);
    artifact.symbol = made.entry;
    artifact.abi = cudaAbi;
    artifact.stages = {{"ttgir", made.ttgir}, {"llir", made.llir}, {"ptx", made.ptx}};
    artifact.code = made.ptx;
    artifact.resources.sharedBytes = made.sharedBytes;
    artifact.resources.warps = static_cast<int32_t>(options.num_warps);
    for (const RecordSite &site : made.sites)
      if (site.kind == RecordSite::Kind::Assert)
        artifact.asserts.push_back({AssertionKind::User, site.text, site.position});
    return artifact;
  }
};

} // namespace

void registerTarget() {
  TargetRegistry::add("cuda", []() -> std::unique_ptr<Target> { return std::make_unique<CudaTarget>(); });
  addMemory(DeviceKind::Cuda, cudaMemory);
}

} // namespace trisect::cuda
