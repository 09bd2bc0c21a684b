//===- DumpInstrumentation.cpp - shows the IR before every pass -----------------------------------------===//
#include "core/passes/DumpInstrumentation.h"
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
} // namespace

void dumpBeforePasses(mlir::PassManager &manager, DumpSink &sink) {
  manager.addInstrumentation(std::make_unique<DumpInstrumentation>(sink));
}

} // namespace trisect::tt
