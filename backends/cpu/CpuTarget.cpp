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
#include "core/support/Arrivals.h"
#include "core/support/BlockMemory.h"
#include "core/support/LaunchWatch.h"
#include "core/support/LoopStep.h"
#include "core/support/MemoryGuard.h"
#include "core/support/Outcome.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <cstdlib>
#include <mutex>
#include <optional>

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
      size = 0;
      int64_t whole = (bytes + 4095) / 4096 * 4096;
      memory = std::aligned_alloc(64, whole);
      if (!memory)
        return nullptr;
      size = whole;
    }
    return memory;
  }

private:
  void *memory = nullptr;
  int64_t size = 0;
};

/// How the programs of one thread ended before their time: an assertion goes back to before they began, as
/// does an access where there is no memory, and an order to stop.
struct Failure {
  std::jmp_buf back;
  int64_t assertion = -1;
  int64_t value = 0; ///< what the report of the assertion may name
  std::array<int32_t, 3> program = {0, 0, 0};
  GuardedEnd guard;
  bool noScratch = false;     ///< the machine had no memory for the blocks
  int64_t begin = 0, end = 0; ///< linear ids of the programs that ran
};

// Compiled frames hold nothing that must be cleaned up.
void assertionFailed(AssertHook *hook, int64_t assertion, int64_t value, int32_t x, int32_t y, int32_t z) {
  auto *failed = static_cast<Failure *>(hook->context);
  failed->assertion = assertion;
  failed->value = value;
  failed->program = {x, y, z};
  std::longjmp(failed->back, 1);
}

/// UBSan looks for a type in front of a function that is called; compiled kernels have none there.
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
void enter(EntryPoint entry, const uint64_t *args, const int32_t *grid, int64_t begin, int64_t end,
           void *scratch) {
  entry(args, grid, begin, end, scratch);
}

std::array<int32_t, 3> programOf(int64_t linear, const Grid &grid) {
  return {static_cast<int32_t>(linear % grid.x), static_cast<int32_t>(linear / grid.x % grid.y),
          static_cast<int32_t>(linear / grid.x / grid.y)};
}

std::string programText(int64_t linear, const Grid &grid) {
  auto [x, y, z] = programOf(linear, grid);
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

struct Variant {
  std::unique_ptr<LoadedObject> object;
  int64_t scratchBytes = 0;
  bool reliesOnDisjoint = false;
  std::vector<Assertion> asserts;
};

class CpuKernel final : public CompiledKernel {
public:
  CpuKernel(mlir::ModuleOp module, std::string_view name, unsigned threads)
      : name(name), threads(threads ? threads : defaultThreads()) {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    if (auto original = copy->lookupSymbol<tt::FuncOp>(llvm::StringRef(name)))
      for (auto [i, type] : llvm::enumerate(original.getArgumentTypes()))
        if (mlir::isa<tt::PtrType, tt::TensorDescType>(type))
          pointers.push_back(i);
    tt::FuncOp function = prepare(*copy, name);
    fast = make(function, /*disjoint=*/true);
    if (fast.reliesOnDisjoint)
      prepared = tt::printBytecode(*copy);
  }

  bool wantsTensors() const override { return fast.reliesOnDisjoint; }

  void launch(const LaunchRequest &request) override {
    const Variant &variant =
        !fast.reliesOnDisjoint || argumentsAreDisjoint(request, pointers) ? fast : careful();
    EntryPoint entry = variant.object->entry();
    int32_t grid[3] = {request.grid.x, request.grid.y, request.grid.z};
    int64_t programs = request.grid.programs();
    const uint64_t *args = request.args.data();
    std::mutex failureLock;
    std::optional<Failure> failure;
    std::atomic<bool> stop{false};
    std::atomic<int64_t> finished{0};
    Arrivals pieces;
    LaunchWatch watch;
    auto runPiece = [&](int64_t begin, int64_t end) {
      thread_local Scratch scratch;
      void *memory = scratch.get(variant.scratchBytes);
      Failure failed;
      failed.begin = begin;
      failed.end = end;
      failed.noScratch = variant.scratchBytes > 0 && !memory;
      failed.guard = guardedUntil(LaunchWatch::shallLeave, &watch, [&] {
        if (failed.noScratch)
          return;
        if (!variant.asserts.empty())
          *static_cast<AssertHook *>(memory) = {assertionFailed, &failed};
        if (setjmp(failed.back) == 0)
          enter(entry, args, grid, begin, end, memory);
      });
      if (!failed.guard.wild && !failed.guard.left && !failed.noScratch && failed.assertion < 0) {
        finished.fetch_add(end - begin, std::memory_order_relaxed);
        return;
      }
      stop.store(true, std::memory_order_relaxed);
      std::lock_guard guard(failureLock);
      // What a kernel does wrong goes before an order from outside.
      if (!failure || failure->guard.left)
        failure = failed;
    };
    auto body = [&](int64_t begin, int64_t end) {
      if (!stop.load(std::memory_order_relaxed))
        runPiece(begin, end);
      pieces.arrive();
    };
    installMemoryGuard();
    double known = nanosecondsPerProgram.load(std::memory_order_relaxed);
    unsigned use = known >= 0 && known * programs < serialNanoseconds ? 1 : threads;
    checkScratch(variant.scratchBytes * use);
    int64_t chunk = std::max<int64_t>(1, programs / (use * 8));
    int count = static_cast<int>((programs + chunk - 1) / chunk);
    auto started = std::chrono::steady_clock::now();
    parallelChunks(programs, chunk, use, body, [&] {
      // Only this thread may ask the host whether to stop.
      while (!pieces.await(count))
        watch.look();
    });
    std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - started;
    if (failure)
      fail(*failure, variant, request.grid, finished, watch);
    if (programs > 0)
      nanosecondsPerProgram.store(took.count() * std::min<int64_t>(use, programs) / programs,
                                  std::memory_order_relaxed);
  }

private:
  void checkScratch(int64_t bytes) const {
    constexpr int64_t always = int64_t(64) << 20;
    if (bytes <= always)
      return;
    blockmemory::readLimit();
    if (bytes > blockmemory::limit())
      throw tooLarge(bytes);
  }

  Unsupported tooLarge(int64_t bytes) const {
    return Unsupported(
        llvm::formatv("cpu: the blocks of kernel {0} take {1} MiB on all threads, more than there "
                      "is or TRISECT_MEMORY allows ({2} MiB); make them smaller",
                      name, bytes >> 20, blockmemory::limit() >> 20)
            .str());
  }

  [[noreturn]] void fail(const Failure &failed, const Variant &variant, const Grid &grid, int64_t finished,
                         const LaunchWatch &watch) const {
    if (failed.guard.wild)
      throw wildFault(failed, grid);
    if (failed.noScratch)
      throw tooLarge(variant.scratchBytes * threads);
    if (!failed.guard.left)
      throw faultOf(failed, variant);
    if (watch.ordered() == LaunchWatch::Order::Interrupt)
      throw Interrupted();
    throw timeFault(failed, grid, finished, watch.limit().value_or(0));
  }

  static std::string programsText(const Failure &failed, const Grid &grid) {
    if (failed.end - failed.begin == 1)
      return "program " + programText(failed.begin, grid);
    return "one of the programs from " + programText(failed.begin, grid) + " to " +
           programText(failed.end - 1, grid);
  }

  KernelFault timeFault(const Failure &failed, const Grid &grid, int64_t finished, int64_t seconds) const {
    Fault fault;
    fault.kind = FaultKind::Deadlock;
    fault.kernel = name;
    fault.programId = programOf(failed.begin, grid);
    fault.message = llvm::formatv("deadlock: the launch did not end within {0} s (TRISECT_TIMEOUT); at least "
                                  "{1} of {2} programs had finished\n  in compiled code of kernel {3}, tier "
                                  "cpu, {4}\n  TRISECT_TIER=interp names the lines",
                                  seconds, finished, grid.programs(), name, programsText(failed, grid))
                        .str();
    fault.details = {{"tier", "cpu"},
                     {"seconds", std::to_string(seconds)},
                     {"first program", std::to_string(failed.begin)},
                     {"last program", std::to_string(failed.end - 1)}};
    return KernelFault(std::move(fault));
  }

  KernelFault wildFault(const Failure &failed, const Grid &grid) const {
    Fault fault;
    fault.kind = FaultKind::OutOfBounds;
    fault.kernel = name;
    fault.programId = programOf(failed.begin, grid);
    const WildAccess &wild = *failed.guard.wild;
    // The processor tells of an impossible address neither what it is nor what was to be done there.
    std::string what =
        wild.address
            ? llvm::formatv("{0} address {1:x}", wild.write ? "write to" : "read of", *wild.address).str()
            : "access to an address that no process can have";
    fault.message = "out-of-bounds: " + what + ", where there is no memory\n  in compiled code of kernel " +
                    name + ", tier cpu, " + programsText(failed, grid) +
                    "\n  TRISECT_TIER=interp names the line and the program";
    fault.details = {{"tier", "cpu"}};
    if (wild.address) {
      fault.details.emplace_back("access", wild.write ? "write" : "read");
      fault.details.emplace_back("address", llvm::formatv("{0:x}", *wild.address).str());
    }
    fault.details.emplace_back("first program", std::to_string(failed.begin));
    fault.details.emplace_back("last program", std::to_string(failed.end - 1));
    return KernelFault(std::move(fault));
  }

  KernelFault faultOf(const Failure &failed, const Variant &variant) const {
    const Assertion &assertion = variant.asserts[failed.assertion];
    Fault fault;
    bool user = assertion.kind == AssertionKind::User;
    fault.kind = user ? FaultKind::Assert : FaultKind::UndefinedValue;
    fault.kernel = name;
    fault.position = assertion.position;
    fault.programId = failed.program;
    auto [x, y, z] = failed.program;
    std::string headline =
        user ? "assertion failed" + (assertion.message.empty() ? "" : ": " + assertion.message)
             : "undefined-value: " + badLoopStep(failed.value);
    fault.message = headline + "\n  at " + assertion.position.str() + ", in program (" + std::to_string(x) +
                    ", " + std::to_string(y) + ", " + std::to_string(z) + ") of kernel " + name +
                    "\n  compiled code stops here; TRISECT_TIER=interp names the element";
    fault.details = user ? decltype(fault.details){{"message", assertion.message}}
                         : decltype(fault.details){{"step", std::to_string(failed.value)}};
    return KernelFault(std::move(fault));
  }

  Variant make(tt::FuncOp function, bool disjoint) {
    DumpSink dump(name);
    CompiledObject compiled = compileKernel(function, disjoint, dump);
    return {loadObject(std::move(compiled.object), entryName), compiled.scratchBytes,
            compiled.reliesOnDisjoint, std::move(compiled.asserts)};
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

NativeObject compileNative(mlir::ModuleOp module, std::string_view kernel) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  DumpSink dump{std::string(kernel)};
  CompiledObject compiled = compileKernel(prepare(*copy, kernel), /*disjoint=*/false, dump);
  return {compiled.object->getBuffer().str(), entryName, compiled.scratchBytes};
}

void registerCpuTarget() {
  TargetRegistry::add("cpu", []() -> std::unique_ptr<Target> { return std::make_unique<CpuTarget>(); });
}

} // namespace trisect::cpu
