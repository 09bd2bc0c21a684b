//===- CorpusModule.cpp - one module of a corpus, run in every way --------------------------------------===//
#include "interp/tools/CorpusModule.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Threads.h"
#include "interp/program/Decode.h"
#include "interp/run/Run.h"
#include "interp/tools/CorpusArguments.h"
#include "interp/tools/Watchdog.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <algorithm>
#include <chrono>
#include <optional>

namespace trisect::tools {

namespace {

/// The first public function with a body.
std::string kernelOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal())
      return mlir::SymbolTable::getSymbolName(function).str();
  return {};
}

using End = CorpusOutcome::End;

CorpusOutcome ended(End end, std::string reason) {
  CorpusOutcome outcome;
  outcome.end = end;
  outcome.reason = std::move(reason);
  return outcome;
}

/// What `work` threw, as an outcome; else what it returned.
template <typename Work> CorpusOutcome caught(Work work) {
  try {
    return work();
  } catch (const KernelFault &fault) {
    return ended(End::Fault, std::string(faultKindName(fault.fault().kind)));
  } catch (const Unsupported &reason) {
    std::string text = reason.what();
    return ended(End::Unsupported, text.substr(0, text.find(" at ")));
  } catch (const InvalidInput &reason) {
    return ended(End::Invalid, reason.what());
  } catch (const interp::Interrupted &) {
    return ended(End::Stopped, "time limit");
  } catch (const std::exception &error) {
    return ended(End::EngineError, error.what());
  }
}

class Module {
public:
  Module(const interp::Program &program, CorpusMemory &memory, double limit)
      : program(program), roles(program), memory(memory), limit(limit) {}

  CorpusOutcome run() {
    CorpusOutcome outcome = search();
    return outcome.end == End::Ran ? caught([&] { return compare(outcome); }) : outcome;
  }

  CorpusOutcome plan(const std::function<void(const CorpusArguments &)> &visit) {
    CorpusOutcome outcome = search();
    if (outcome.end != End::Ran)
      return outcome;
    made.emplace(program, roles, memory, outcome.plan);
    visit(*made);
    return outcome;
  }

private:
  /// Runs in shadow mode by one plan after another; the outcome of the first without findings, else of the
  /// one with the fewest.
  CorpusOutcome search() {
    bool asks = std::any_of(program.code.begin(), program.code.end(),
                            [](const auto &i) { return i.opcode == interp::Opcode::ProgramId; });
    auto start = std::chrono::steady_clock::now();
    CorpusOutcome best;
    size_t least = ~size_t(0);
    double seconds = limit;
    for (const CorpusPlan &plan : CorpusPlan::all()) {
      if (plan.programs == 1 && !asks)
        continue;
      if (std::chrono::steady_clock::now() - start > std::chrono::duration<double>(3 * limit))
        break;
      CorpusOutcome outcome = caught([&] { return runShadow(plan, seconds); });
      outcome.plan = plan;
      // Sizes that make a later plan slow are not what the kernel is usually called with.
      seconds = limit / 5;
      size_t noise = outcome.end == End::Ran ? outcome.findings.size() : ~size_t(0) - 1;
      if (noise >= least)
        continue;
      best = std::move(outcome);
      least = noise;
      if (noise == 0)
        break;
    }
    return best;
  }

  CorpusOutcome runShadow(const CorpusPlan &plan, double seconds) {
    CorpusOutcome outcome;
    made.emplace(program, roles, memory, plan);
    interp::RunOptions options;
    options.sanitize = SanitizeOptions::parse("on", 64);
    options.findings = &outcome.findings;
    launch(options, seconds);
    return outcome;
  }

  /// The plan of an outcome again, in shadow and direct mode.
  CorpusOutcome compare(const CorpusOutcome &found) {
    CorpusOutcome outcome = runShadow(found.plan, limit);
    outcome.plan = found.plan;
    made->save(memory.shadow);
    runDirect(1);
    made->save(memory.direct);
    bool shadowSame = !outcome.findings.empty() || memory.shadow == memory.direct;
    runDirect(std::max(2, availableThreads()));
    bool threadsSame = made->holds(memory.direct);
    if (shadowSame && threadsSame)
      return outcome;
    // A kernel that reads a clock, or whose programs show their order, has no one answer.
    runDirect(1);
    outcome.unrepeatable = !made->holds(memory.direct);
    for (uint64_t seed = 0; seed < 8 && !threadsSame && !outcome.unrepeatable; ++seed) {
      runDirect(1, seed);
      outcome.unrepeatable = !made->holds(memory.direct);
    }
    outcome.shadowDisagrees = !shadowSame && !outcome.unrepeatable;
    outcome.threadsDisagree = !threadsSame && !outcome.unrepeatable;
    return outcome;
  }

  void runDirect(int threads, std::optional<uint64_t> seed = std::nullopt) {
    interp::RunOptions options;
    options.threads = threads;
    options.seed = seed;
    program.nanosPerProgram = 0; // how quick the last run was must not keep this one on one thread
    made->refill();
    launch(options, limit);
  }

  void launch(interp::RunOptions &options, double seconds) {
    std::atomic<bool> stop{false};
    Watchdog watchdog(seconds, stop);
    options.interrupt = &stop;
    options.print = [](std::string_view) {};
    interp::run(program, made->request(), options);
  }

  const interp::Program &program;
  const CorpusRoles roles;
  CorpusMemory &memory;
  double limit;
  std::optional<CorpusArguments> made;
};

} // namespace

/// The outcome of what `work` does with a module that was read.
template <typename Work> static CorpusOutcome withModule(const std::string &path, Work work) {
  return caught([&] {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    tt::loadDialects(context);
    auto module = tt::parseModuleFile(path, context);
    std::string kernel = kernelOf(*module);
    auto program = interp::decode(*module, kernel);
    return work(*module, kernel, *program);
  });
}

CorpusOutcome runCorpusModule(const std::string &path, CorpusMemory &memory, double limit) {
  return withModule(path, [&](mlir::ModuleOp, const std::string &, const interp::Program &program) {
    return Module(program, memory, limit).run();
  });
}

CorpusOutcome planCorpusModule(const std::string &path, CorpusMemory &memory, double limit,
                               const std::function<void(const CorpusLaunch &)> &visit) {
  return withModule(path,
                    [&](mlir::ModuleOp module, const std::string &kernel, const interp::Program &program) {
                      return Module(program, memory, limit).plan([&](const CorpusArguments &made) {
                        visit({module, kernel, made.request(), made.ranges()});
                      });
                    });
}

} // namespace trisect::tools
