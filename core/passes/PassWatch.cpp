//===- PassWatch.cpp - an instrumentation that shows modules --------------------------------------------===//
#include "core/passes/PassWatch.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace trisect::tt {

namespace {
thread_local PassWatch *current = nullptr;

class ShowModule : public mlir::PassInstrumentation {
public:
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (pass->getArgument().empty()) // an adaptor, which only runs other passes
      return;
    auto module = mlir::dyn_cast<mlir::ModuleOp>(op);
    PassWatch::tell(pass->getArgument().str(), module ? module : op->getParentOfType<mlir::ModuleOp>());
  }
};
} // namespace

PassWatch::PassWatch(Visit visit) : visit(std::move(visit)), outer(current) { current = this; }
PassWatch::~PassWatch() { current = outer; }

void PassWatch::watched(mlir::PassManager &manager) {
  if (current)
    manager.addInstrumentation(std::make_unique<ShowModule>());
}

void PassWatch::tell(const std::string &pass, mlir::ModuleOp module) {
  if (current)
    current->visit(pass, module);
}

} // namespace trisect::tt
