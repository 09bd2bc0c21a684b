//===- Judge.cpp - tier 0 and its partner, side by side -------------------------------------------------===//
#include "tests/fuzz/kernels/Judge.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cuda/emulate/EmulatedKernel.h"
#include "backends/target/Guards.h"
#include "backends/target/Target.h"
#include "core/ir/Registry.h"
#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include "interp/memory/Overlay.h"
#include "interp/tools/RunTest.h"
#include "jit/check/Alone.h"
#include "jit/reference/PageReader.h"
#include "jit/tools/PtxReader.h"
#include <sys/uio.h>
#include <unistd.h>

namespace trisect::fuzz {

namespace {
/// A kernel of tier 2 in the emulator, which runs whole grids.
class Emulated final : public Executable {
public:
  Emulated(mlir::ModuleOp module, const std::string &name, const cuda::EmitOptions &options, uint64_t order)
      : kernel(module, name, options, tools::readPtx), order(order) {}
  void launch(const LaunchRequest &request) override { kernel.launch(request, order); }
  NumericProfile numerics() const override { return NumericProfile::Cuda; }

private:
  cuda::EmulatedKernel kernel;
  uint64_t order;
};

/// Where the emulator runs: the tensors in the memory of this process, like those of a device in that code
/// runs on them and not on copies. The emulator cannot leave a program that reads, as it may, a page of a
/// tensor that tier 0 passed over.
class EmulatedMemory final : public MemorySpace {
public:
  // Whole pages, in which a sanitizer sees what is nobody's.
  void read(uint64_t address, void *to, size_t bytes) override {
    jit::readPages(hostMemory(), address, to, bytes);
  }
  void write(uint64_t address, const void *from, size_t bytes) override {
    hostMemory().write(address, from, bytes);
  }
  void sync(void *) override {}
  // A page of the process; those around a tensor, which are asked for with it, need not be there.
  std::optional<Allocation> allocationAt(uint64_t address) override {
    constexpr uint64_t bytes = interp::Overlay::pageBytes;
    uint64_t page = address / bytes * bytes;
    char first = 0;
    iovec into{&first, 1}, from{reinterpret_cast<void *>(page), 1};
    if (process_vm_readv(getpid(), &into, 1, &from, 1, 0) != 1)
      return std::nullopt;
    return Allocation{page, bytes};
  }
};

/// The arguments of a launch, and what they refer to.
struct Arguments {
  std::vector<tools::Argument> parsed;
  std::vector<ArgBits> bits;
  std::vector<TensorView> views;

  Arguments(const Case &given, const jit::Kernel &kernel) {
    for (const std::string &text : given.arguments) {
      if (text.starts_with("same ")) {
        auto last = static_cast<int64_t>(parsed.size()) - 1;
        parsed.push_back(
            parsed[static_cast<size_t>(wholeNumber(text.substr(5), "the argument of 'same'", 0, last))]);
        continue;
      }
      parsed.push_back(tools::parseArgument(text, parsed));
    }
    const auto &parameters = kernel.parameters();
    if (parsed.size() != parameters.size())
      throw InvalidInput("the kernel takes " + std::to_string(parameters.size()) + " arguments, " +
                         std::to_string(parsed.size()) + " are given");
    for (size_t n = 0; n < parsed.size(); ++n) {
      bits.push_back(parsed[n].bitsFor(parameters[n].type));
      if (parsed[n].buffer)
        views.push_back(tools::viewOf(*parsed[n].buffer, n, parameters[n].name));
    }
  }
};

/// What a verdict means for a kernel that is known to be defined.
Ruling rulingOf(const jit::Verdict &verdict) {
  switch (verdict.kind) {
  case jit::VerdictKind::Equal:
    return Ruling::Equal;
  case jit::VerdictKind::Within:
    return Ruling::Within;
  case jit::VerdictKind::Different:
    return Ruling::Different;
  case jit::VerdictKind::Inconclusive:
    break;
  }
  if (verdict.noReference)
    return Ruling::Broken;
  if (verdict.reason.starts_with("all that differs is in doubt"))
    return Ruling::Doubtful;
  if (verdict.reason.starts_with("tier 0 finds a fault") ||
      verdict.reason.starts_with("the kernel has no one right answer"))
    return Ruling::Undefined;
  // The generator leaves no order of lanes open: what the check of launches forgives is a mistake here.
  return verdict.reason.starts_with("the sampled programs wrote nothing") ? Ruling::Equal : Ruling::Different;
}
} // namespace

std::string Partner::describe() const {
  if (emulator)
    return "cuda, emulated, " + std::to_string(warps) + " warps, order " + std::to_string(order);
  return "cpu, " + arch + (disjoint ? ", disjoint" : ", any overlap");
}

std::string_view rulingName(Ruling ruling) {
  static constexpr std::string_view names[] = {"equal",     "within",    "doubtful", "refused",
                                               "different", "undefined", "broken"};
  return names[static_cast<int>(ruling)];
}

struct Judge::State {
  Target &cpu;
  std::unique_ptr<mlir::MLIRContext> context;
  int used = 0;

  /// Uniqued types and attributes stay in a context: it is made anew now and then.
  mlir::MLIRContext &fresh() {
    if (!context || ++used % 256 == 0) {
      context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
      tt::loadDialects(*context);
    }
    return *context;
  }

  std::unique_ptr<Executable> compile(mlir::ModuleOp module, const std::string &name, const Partner &partner,
                                      const LaunchRequest &request) {
    if (partner.emulator) {
      cuda::EmitOptions options;
      options.warps = partner.warps;
      return std::make_unique<Emulated>(module, name, options, partner.order);
    }
    auto options = cpu.readOptions({{"arch", partner.arch}});
    auto make = [&](Form form) {
      return std::make_shared<const Artifact>(cpu.compile(module, name, *options, form));
    };
    auto artifact = make(partner.disjoint ? Form::Disjoint : Form::Any);
    if (!holds(*artifact, request))
      artifact = make(Form::Any);
    return cpu.device({})->load(artifact);
  }
};

Judge::Judge(Target &cpu) : state(new State{cpu, nullptr}) {}
Judge::~Judge() = default;

Judgement Judge::judge(const Case &given, const Partner &partner) {
  try {
    auto kernel = jit::Kernel::create(given.module, "");
    auto reference = jit::InterpExecutable::decode(*kernel);
    auto module = kernel->parse(state->fresh());
    Arguments arguments(given, *kernel);
    LaunchRequest request;
    request.grid = partner.emulator ? Grid{} : given.grid; // the emulator runs no part of a grid
    request.args = arguments.bits;
    request.tensors = arguments.views;
    std::unique_ptr<Executable> compiled = state->compile(*module, kernel->name(), partner, request);
    EmulatedMemory emulated;
    MemorySpace &memory = partner.emulator ? emulated : state->cpu.device({})->memory();
    jit::Verdict verdict = jit::compareAlone(*kernel, *reference, {*compiled, memory}, request,
                                             {{0, request.grid.programs()}}, std::chrono::hours(1));
    return {rulingOf(verdict), verdict.describe(partner.emulator ? "cuda" : "cpu")};
  } catch (const Unsupported &error) {
    return {Ruling::Refused, error.what()};
  } catch (const KernelFault &fault) {
    return {Ruling::Different, fault.what()};
  } catch (const std::exception &error) {
    return {Ruling::Broken, error.what()};
  }
}

std::vector<std::string> archs(Target &cpu) {
  std::vector<std::string> found = {"host"};
  for (const char *name : {"x86-64-v4", "x86-64-v3", "x86-64-v2"})
    if (cpu::runsHere(cpu.isa(*cpu.readOptions({{"arch", name}}))))
      found.emplace_back(name);
  return found;
}

} // namespace trisect::fuzz
