//===- CorpusModule.cpp - one module of a corpus, run in every way --------------------------------------===//
#include "interp/tools/CorpusModule.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "interp/exec/Run.h"
#include "interp/exec/ThreadPool.h"
#include "interp/program/Decode.h"
#include "interp/tools/CorpusArguments.h"
#include "interp/tools/Watchdog.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <algorithm>

namespace trisect::tools {

namespace {

/// The first public function with a body.
std::string kernelOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (function.isPublic() && !function.isExternal())
      return mlir::SymbolTable::getSymbolName(function).str();
  return {};
}

class Module {
public:
  Module(const interp::Program &program, GuardedBuffers &memory, double limit)
      : program(program), made(program, memory), limit(limit) {}

  CorpusOutcome run() {
    CorpusOutcome outcome;
    runShadow(outcome);
    std::vector<uint8_t> shadow = made.contents();
    runDirect(1);
    std::vector<uint8_t> expected = made.contents();
    outcome.shadowDisagrees = outcome.findings.empty() && shadow != expected;
    runDirect(std::max(2, interp::availableThreads()));
    outcome.threadsDisagree = !made.holds(expected);
    // Programs whose order shows have no one answer.
    for (uint64_t seed = 0; seed < 8 && outcome.threadsDisagree; ++seed) {
      runDirect(1, seed);
      outcome.orderDecides = !made.holds(expected);
      outcome.threadsDisagree = !outcome.orderDecides;
    }
    return outcome;
  }

private:
  void runShadow(CorpusOutcome &outcome) {
    interp::RunOptions options;
    options.sanitize = SanitizeOptions::parse("on", 64);
    options.findings = &outcome.findings;
    launch(options);
  }

  void runDirect(int threads, std::optional<uint64_t> seed = std::nullopt) {
    interp::RunOptions options;
    options.threads = threads;
    options.seed = seed;
    program.nanosPerProgram = 0; // how quick the last run was must not keep this one on one thread
    launch(options);
  }

  void launch(interp::RunOptions &options) {
    made.refill();
    std::atomic<bool> stop{false};
    Watchdog watchdog(limit, stop);
    options.interrupt = &stop;
    options.print = [](std::string_view) {};
    interp::run(program, made.request(), options);
  }

  const interp::Program &program;
  CorpusArguments made;
  double limit;
};

CorpusOutcome ended(CorpusOutcome::End end, std::string reason) {
  CorpusOutcome outcome;
  outcome.end = end;
  outcome.reason = std::move(reason);
  return outcome;
}

} // namespace

CorpusOutcome runCorpusModule(const std::string &path, GuardedBuffers &memory, double limit) {
  using End = CorpusOutcome::End;
  try {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    tt::loadDialects(context);
    auto module = tt::parseModuleFile(path, context);
    auto program = interp::decode(*module, kernelOf(*module));
    return Module(*program, memory, limit).run();
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

} // namespace trisect::tools
