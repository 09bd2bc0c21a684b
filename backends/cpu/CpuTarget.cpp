//===- CpuTarget.cpp - tier 1 as a target ---------------------------------------------------------------===//
#include "backends/cpu/CpuTarget.h"
#include "backends/cpu/Compile.h"
#include "backends/cpu/CpuOptions.h"
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/launch/CpuDevice.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/target/Target.h"
#include "core/ir/Parse.h"
#include "core/ir/Types.h"
#include "core/support/Options.h"

namespace trisect::cpu {

namespace {

std::vector<uint32_t> pointersOf(tt::FuncOp kernel) {
  std::vector<uint32_t> pointers;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (mlir::isa<tt::PtrType, tt::TensorDescType>(type))
      pointers.push_back(static_cast<uint32_t>(i));
  return pointers;
}

// What docs/numerics.md leaves open on this tier is not wanted.
bool isStrict() { return optionChoice(OptionId::Numerics).word == "ieee"; }

Machine machineOf(const TargetOptions &options) {
  Machine machine = machineNamed(static_cast<const CpuOptions &>(options).arch);
  return isStrict() ? exact(machine) : machine;
}

bool wantsLines(const TargetOptions &options) { return static_cast<const CpuOptions &>(options).line_info; }

class CpuTarget final : public Target {
public:
  std::string_view name() const override { return "cpu"; }
  NumericProfile numerics() const override { return isStrict() ? NumericProfile::Ieee : NumericProfile::Cpu; }
  std::unique_ptr<const TargetOptions> readOptions(const OptionTexts &texts) const override {
    return std::make_unique<CpuOptions>(CpuOptions::read(texts));
  }
  std::span<const OptionRow> optionRows() const override { return CpuOptions::rows(); }
  std::string isa(const TargetOptions &options) const override { return machineOf(options).describe(); }
  Device *device(DeviceId where) override { return where.kind == DeviceKind::Host ? &cpuDevice() : nullptr; }

  Artifact compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &options,
                   Form form) override {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    tt::FuncOp original = findKernel(*copy, kernel);
    std::vector<uint32_t> pointers = pointersOf(original);
    Artifact artifact = artifactOf(kernel, options);
    artifact.symbol = entryName;
    artifact.abi = entryAbi;
    DumpSink dump(artifact.kernel);
    auto show = [&](const char *stage) {
      if (dump.wants(DumpKind::Mlir))
        dump.write(DumpKind::Mlir, stage, tt::printModule(*copy));
    };
    show("ttir");
    tt::FuncOp prepared = prepare(*copy, kernel);
    show("prepared");
    CompiledObject compiled =
        compileKernel(prepared, machineOf(options), {form == Form::Disjoint, wantsLines(options)}, dump);
    artifact.code = std::move(compiled.object);
    artifact.resources.scratchBytes = compiled.scratchBytes;
    artifact.asserts = std::move(compiled.asserts);
    artifact.waits = std::move(compiled.waits);
    artifact.paths = std::move(compiled.paths);
    artifact.atomics = compiled.atomics;
    artifact.plainArguments = std::move(compiled.plainArguments);
    artifact.streamed = std::move(compiled.streamed);
    if (compiled.reliesOnDisjoint && form == Form::Disjoint)
      artifact.guards.push_back({Guard::Kind::Disjoint, std::move(pointers)});
    return artifact;
  }

  std::vector<Stage> stages(const mlir::ModuleOp &module, std::string_view kernel,
                            const TargetOptions &options) override {
    mlir::OwningOpRef<mlir::ModuleOp> copy(mlir::ModuleOp(module).clone());
    return compileStages(prepare(*copy, kernel), machineOf(options),
                         {.disjoint = true, .lines = wantsLines(options)});
  }
};

} // namespace

void registerTarget() {
  TargetRegistry::add("cpu", []() -> std::unique_ptr<Target> { return std::make_unique<CpuTarget>(); });
}

} // namespace trisect::cpu
