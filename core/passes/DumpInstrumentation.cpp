//===- DumpInstrumentation.cpp - shows the IR before every pass -----------------------------------------===//
#include "core/passes/DumpInstrumentation.h"
#include "core/passes/Reproducer.h"
#include "core/support/Options.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include <mutex>

namespace trisect::tt {

namespace {
class DumpInstrumentation : public mlir::PassInstrumentation {
public:
  explicit DumpInstrumentation(DumpSink &sink) : sink(sink) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument().empty()) // an adaptor, which only runs other passes
      return;
    std::string text;
    llvm::raw_string_ostream out(text);
    op->print(out, mlir::OpPrintingFlags().useLocalScope());
    std::lock_guard guard(lock); // passes on several functions run at once
    sink.write(DumpKind::Mlir, "before-" + pass->getArgument().str(), text);
  }

private:
  DumpSink &sink;
  std::mutex lock;
};

/// The name that dumps go by: of the first public function.
std::string kernelName(mlir::ModuleOp module) {
  for (auto function : module.getOps<mlir::FunctionOpInterface>())
    if (function.isPublic())
      return function.getName().str();
  return "module";
}
} // namespace

void dumpBeforePasses(mlir::PassManager &manager, DumpSink &sink) {
  manager.addInstrumentation(std::make_unique<DumpInstrumentation>(sink));
}

std::unique_ptr<DumpSink> showPassesIfAsked(mlir::PassManager &manager, mlir::ModuleOp module) {
  if (optionFlag(OptionId::MlirTiming))
    manager.enableTiming();
  saveReproducerIfAsked(manager, module);
  std::string kernel = kernelName(module);
  if (!DumpSink::wantsEveryPass(kernel))
    return nullptr;
  auto sink = std::make_unique<DumpSink>(kernel);
  dumpBeforePasses(manager, *sink);
  return sink;
}

} // namespace trisect::tt
