//===- CpuTarget.cpp - tier 1 as a target ---------------------------------------------------------------===//
#include "backends/cpu/CpuTarget.h"
#include "backends/common/ParallelGrid.h"
#include "backends/cpu/Compile.h"
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/Overlap.h"
#include "backends/cpu/orc/HostMachine.h"
#include "backends/cpu/orc/Loader.h"
#include "backends/target/Target.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/ir/Types.h"
#include "core/support/Outcome.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>

namespace trisect::cpu {

namespace {

/// Launches shorter than this run on the caller's thread alone.
constexpr double serialNanoseconds = 20000;

/// Scratch memory of one thread, grown to the largest kernel that it has run.
class Scratch {
public:
  ~Scratch() { std::free(memory); }
  void *get(int64_t bytes) {
    if (bytes > size) {
      std::free(memory);
      size = (bytes + 4095) / 4096 * 4096;
      memory = std::aligned_alloc(64, size);
    }
    return memory;
  }

private:
  void *memory = nullptr;
  int64_t size = 0;
};

struct Variant {
  std::unique_ptr<LoadedObject> object;
  int64_t scratchBytes = 0;
  bool reliesOnDisjoint = false;
};

class CpuKernel final : public CompiledKernel {
public:
  CpuKernel(mlir::ModuleOp module, std::string_view name, unsigned threads)
      : name(name), threads(threads ? threads : defaultThreads()) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    tt::FuncOp function = prepare(*copy, name);
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (mlir::isa<tt::PtrType>(type))
        pointers.push_back(i);
    fast = make(function, /*disjoint=*/true);
    if (fast.reliesOnDisjoint)
      prepared = tt::printBytecode(*copy);
  }

  void launch(const LaunchRequest &request) override {
    const Variant &variant =
        !fast.reliesOnDisjoint || argumentsAreDisjoint(request, pointers) ? fast : careful();
    EntryPoint entry = variant.object->entry();
    int32_t grid[3] = {request.grid.x, request.grid.y, request.grid.z};
    int64_t programs = request.grid.programs();
    const uint64_t *args = request.args.data();
    auto body = [&](int64_t begin, int64_t end) {
      thread_local Scratch scratch;
      entry(args, grid, begin, end, scratch.get(variant.scratchBytes));
    };
    double known = nanosecondsPerProgram.load(std::memory_order_relaxed);
    unsigned use = known >= 0 && known * programs < serialNanoseconds ? 1 : threads;
    auto started = std::chrono::steady_clock::now();
    parallelChunks(programs, std::max<int64_t>(1, programs / (use * 8)), use, body);
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - started;
    if (programs > 0)
      nanosecondsPerProgram.store(took.count() * std::min<int64_t>(use, programs) / programs,
                                  std::memory_order_relaxed);
  }

private:
  Variant make(tt::FuncOp function, bool disjoint) {
    DumpSink dump(name);
    CompiledObject compiled = compileKernel(function, disjoint, dump);
    return {loadObject(std::move(compiled.object), entryName), compiled.scratchBytes,
            compiled.reliesOnDisjoint};
  }

  // The form for overlapping arguments, made when it is first needed.
  const Variant &careful() {
    std::lock_guard guard(lock);
    if (!slow.object) {
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      tt::loadDialects(context);
      auto module = tt::parseModule(prepared, name, context);
      slow = make(module->lookupSymbol<tt::FuncOp>(name), /*disjoint=*/false);
    }
    return slow;
  }

  std::string name;
  unsigned threads;
  std::vector<unsigned> pointers;
  std::string prepared; ///< bytecode
  Variant fast, slow;
  std::mutex lock;
  std::atomic<double> nanosecondsPerProgram{-1};
};

class CpuTarget final : public Target {
public:
  std::string_view name() const override { return "cpu"; }
  std::string isa() const override { return hostMachine().describe(); }
  NumericProfile numerics() const override { return NumericProfile::Cpu; }
  std::unique_ptr<CompiledKernel> compile(mlir::ModuleOp module, std::string_view kernel,
                                          const CompileOptions &options) override {
    return std::make_unique<CpuKernel>(module, kernel, options.threads);
  }
};

} // namespace

void registerCpuTarget() {
  TargetRegistry::add("cpu", []() -> std::unique_ptr<Target> { return std::make_unique<CpuTarget>(); });
}

} // namespace trisect::cpu
