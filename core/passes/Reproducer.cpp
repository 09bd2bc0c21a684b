//===- Reproducer.cpp - a module that repeats a stage, or the pass that failed --------------------------===//
#include "core/passes/Reproducer.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileUtilities.h"

namespace trisect::tt {

namespace {
/// A module in the form that `--run-reproducer` reads.
std::string reproducer(mlir::Operation *module, llvm::StringRef pipeline) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module->print(out, mlir::OpPrintingFlags().enableDebugInfo());
  out << "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: \"";
  llvm::printEscapedString(pipeline, out);
  out << "\",\n      disable_threading: true,\n      verify_each: true\n    }\n  }\n#-}\n";
  return text;
}

/// In one step, since several kernels may be compiled at once.
llvm::Error write(llvm::StringRef path, llvm::StringRef text) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &out) {
    out << text;
    return llvm::Error::success();
  });
}

class KeepsFailingPass : public mlir::PassInstrumentation {
public:
  explicit KeepsFailingPass(std::string path) : path(std::move(path)) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!mlir::isa<mlir::ModuleOp>(op)) // inside an adaptor, which ran into this before
      return;
    std::string pipeline;
    llvm::raw_string_ostream out(pipeline);
    out << op->getName() << '(';
    pass->printAsTextualPipeline(out);
    out << ')';
    before = reproducer(op, pipeline);
  }

  void runAfterPassFailed(mlir::Pass *, mlir::Operation *op) override {
    if (mlir::isa<mlir::ModuleOp>(op))
      llvm::consumeError(write(path, before)); // a help for the search must not hide what is searched
  }

private:
  std::string path;
  std::string before;
};
} // namespace

void saveReproducerIfAsked(mlir::PassManager &manager, mlir::ModuleOp module) {
  std::string path = optionText(OptionId::ReproducerPath);
  if (path.empty())
    return;
  std::string pipeline;
  llvm::raw_string_ostream out(pipeline);
  manager.printAsTextualPipeline(out);
  if (llvm::Error error = write(path, reproducer(module, pipeline)))
    throw InvalidInput("TRITON_REPRODUCER_PATH='" + path +
                       "' cannot be written: " + llvm::toString(std::move(error)));
  manager.addInstrumentation(std::make_unique<KeepsFailingPass>(path));
}

} // namespace trisect::tt
