//===- CallLimits.cpp - how far calls may multiply a kernel ---------------------------------------------===//
#include "core/ir/CallLimits.h"
#include "core/ir/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

namespace {

class Counter {
public:
  explicit Counter(ModuleOp module) : symbols(module) {}

  /// Operations of the function with all that it calls; nothing after an error.
  std::optional<int64_t> count(FuncOp function, int depth) {
    auto [known, fresh] = sizes.try_emplace(function, 0);
    if (!fresh)
      return known->second;
    int64_t total = 0;
    bool good = true;
    function.walk([&](Operation *op) {
      ++total;
      auto call = dyn_cast<CallOp>(op);
      auto callee = call ? symbols.lookup<FuncOp>(call.getCallee()) : FuncOp();
      if (!callee || !good)
        return;
      if (depth == kDeepestCalls) {
        op->emitError() << "calls lie more than " << kDeepestCalls
                        << " deep inside each other; merge helpers, or write the chain as a loop";
        good = false;
        return;
      }
      std::optional<int64_t> size = count(callee, depth + 1);
      good &= size.has_value();
      total = std::min(total + size.value_or(0), kMostExpandedOperations + 1);
    });
    if (good && total > kMostExpandedOperations) {
      function.emitError() << "'" << function.getSymName() << "' has more than " << kMostExpandedOperations
                           << " operations when its calls are replaced by what they call; call helpers in a "
                              "loop that runs with the kernel, or compute a value once and reuse it";
      good = false;
    }
    if (!good)
      return std::nullopt;
    return sizes[function] = total;
  }

private:
  SymbolTable symbols;
  llvm::DenseMap<Operation *, int64_t> sizes;
};

} // namespace

LogicalResult checkCallLimits(ModuleOp module) {
  Counter counter(module);
  for (auto function : module.getOps<FuncOp>())
    if (!counter.count(function, 0))
      return failure();
  return success();
}

} // namespace trisect::tt
