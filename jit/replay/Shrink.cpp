//===- Shrink.cpp - one operation after another ---------------------------------------------------------===//
#include "jit/replay/Shrink.h"
#include "core/ir/GuardedContext.h"
#include "core/ir/Parse.h"
#include "core/passes/SimplerForms.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"
#include "jit/locate/Locate.h"
#include "jit/replay/OldPages.h"
#include "jit/replay/Replay.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace trisect::jit {

using namespace mlir;

namespace {
std::vector<Operation *> operationsOf(ModuleOp module) {
  std::vector<Operation *> ops;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  return ops;
}

void eraseDead(ModuleOp module) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Operation *> ops = operationsOf(module);
    for (auto op = ops.rbegin(); op != ops.rend(); ++op)
      if (isOpTriviallyDead(*op)) {
        (*op)->erase();
        changed = true;
        break;
      }
  }
}

/// A module of which single operations can be made simpler. All that it does is a fork section; what tries a
/// simpler module may take long, and is none.
class Simpler {
public:
  Simpler(std::string_view text, std::string_view name) {
    ForkSection whole;
    context = std::make_unique<tt::GuardedContext>();
    // What a pattern does to a module may be wrong; nobody is to hear of it.
    context->getDiagEngine().registerHandler([](Diagnostic &) { return success(); });
    now = tt::parseModule(text, name, *context);
    patterns = std::make_unique<RewritePatternSet>(context.get());
    tt::addSimplerForms(*patterns, /*erase=*/true);
  }
  ~Simpler() {
    ForkSection whole;
    patterns.reset();
    now = nullptr;
    copy = nullptr;
    context.reset();
  }
  Simpler(const Simpler &) = delete;
  Simpler &operator=(const Simpler &) = delete;

  size_t operations() const { return operationsOf(*now).size(); }
  size_t forms() const { return patterns->getNativePatterns().size(); }

  /// The text of the module with operation `n` in another form; empty if it has none of this kind.
  std::string tried(size_t n, size_t form) {
    ForkSection whole;
    copy = now->clone();
    std::vector<Operation *> ops = operationsOf(*copy);
    if (n >= ops.size() || !ops[n]->getBlock())
      return "";
    PatternRewriter rewriter(context.get());
    rewriter.setInsertionPoint(ops[n]);
    if (failed(patterns->getNativePatterns()[form]->matchAndRewrite(ops[n], rewriter)))
      return "";
    eraseDead(*copy);
    return succeeded(verify(*copy)) ? tt::printModule(*copy) : "";
  }

  /// Goes on with what was tried last.
  void keep() {
    ForkSection whole;
    now = std::move(copy);
  }

private:
  std::unique_ptr<tt::GuardedContext> context;
  OwningOpRef<ModuleOp> now, copy;
  std::unique_ptr<RewritePatternSet> patterns;
};

class Shrinking {
public:
  Shrinking(Bundle bundle, std::chrono::nanoseconds time)
      : end(std::chrono::steady_clock::now() + time), bundle(std::move(bundle)), tier(tierOf(this->bundle)) {}

  Shrunk run() {
    Evidence &evidence = *bundle.evidence;
    kernelOf(bundle);
    OldPages memory(evidence);
    std::optional<Rerun> whole = differing(bundle.ttir, evidence);
    if (!whole)
      throw InvalidInput("what " + bundle.tier + " compiles now does not differ: there is nothing to shrink");
    last = std::move(*whole);
    Shrunk shrunk;
    shrunk.operationsBefore = countOf(bundle.ttir);
    shrinkGrid();
    while (shrinkOnce())
      ;
    shrunk.operations = countOf(bundle.ttir);
    shrunk.attempts = attempts;
    finish();
    shrunk.bundle = std::move(bundle);
    return shrunk;
  }

private:
  bool inTime() const { return std::chrono::steady_clock::now() < end; }

  int countOf(const std::string &module) {
    return static_cast<int>(Simpler(module, bundle.kernel).operations());
  }

  std::optional<Rerun> differing(const std::string &module, Evidence &evidence) {
    ++attempts;
    try {
      auto kernel = Kernel::create(module, bundle.kernel, bundle.options);
      Rerun again = rerun(*kernel, tier, compileFor(tier, *kernel, bundle.form), evidence);
      if (again.verdict.kind == VerdictKind::Different && again.evidence)
        return again;
      return std::nullopt;
    } catch (const Error &) {
      return std::nullopt; // it is no kernel any more
    }
  }

  void shrinkGrid() {
    Evidence &evidence = *bundle.evidence;
    Grid grid = evidence.grid;
    ProgramRange programs = evidence.programs;
    auto attempt = [&](Grid smaller, ProgramRange range) {
      if (smaller.programs() >= evidence.grid.programs() || !inTime())
        return;
      Evidence other = evidence;
      other.grid = smaller;
      other.programs = range;
      if (std::optional<Rerun> again = differing(bundle.ttir, other)) {
        evidence = std::move(other);
        last = std::move(*again);
      }
    };
    attempt({1, 1, 1}, {0, 1});
    // Programs behind the differing ones are not needed, unless the kernel asks how many there are.
    int64_t count = programs.first + programs.count;
    if (grid.y == 1 && grid.z == 1)
      attempt({static_cast<int32_t>(count), 1, 1}, programs);
    else
      attempt({grid.x, grid.y, static_cast<int32_t>((count - 1) / (int64_t(grid.x) * grid.y) + 1)}, programs);
  }

  /// Tries each operation, from the last one on; true if something went.
  bool shrinkOnce() {
    bool progress = false;
    Simpler module(bundle.ttir, bundle.kernel);
    for (size_t n = module.operations(); n-- > 0 && inTime();)
      for (size_t form = 0; form < module.forms(); ++form) {
        std::string text = module.tried(n, form);
        std::optional<Rerun> again = text.empty() ? std::nullopt : differing(text, *bundle.evidence);
        if (!again)
          continue;
        bundle.ttir = std::move(text);
        last = std::move(*again);
        module.keep();
        progress = true;
        break;
      }
    return progress;
  }

  void finish() {
    auto kernel = Kernel::create(bundle.ttir, bundle.kernel, bundle.options);
    bundle.code = *compileFor(tier, *kernel, bundle.form);
    bundle.versions = currentVersions();
    bundle.versions["isa"] = bundle.code->isa;
    bundle.location = locate(kernel, tier, bundle.form, bundle.evidence->request(), last.verdict);
    bundle.sentence = bundle.kernel + " on " + bundle.tier +
                      ", shrunk: " + last.verdict.describe(bundle.tier) + "; " +
                      bundle.location->describe(bundle.tier);
    bundle.evidence = std::move(last.evidence);
  }

  std::chrono::steady_clock::time_point end;
  Bundle bundle;
  Tier tier;
  Rerun last;
  int attempts = 0;
};
} // namespace

Shrunk shrink(Bundle bundle, std::chrono::nanoseconds time) {
  if (!bundle.evidence)
    throw InvalidInput("the bundle is of a compile that failed: `trisect-reduce` shrinks its kernel.ttir");
  return Shrinking(std::move(bundle), time).run();
}

} // namespace trisect::jit
