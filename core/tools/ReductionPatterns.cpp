//===- ReductionPatterns.cpp - simpler forms of operations, for shrinking -------------------------------===//
#include "core/tools/ReductionPatterns.h"
#include "core/ir/Dialect.h"
#include "core/passes/SimplerForms.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Reducer/ReductionPatternInterface.h"

namespace trisect::tt {

namespace {
using namespace mlir;

struct ReductionPatterns : DialectReductionPatternInterface {
  explicit ReductionPatterns(Dialect *dialect) : DialectReductionPatternInterface(dialect) {}

  void populateReductionPatterns(RewritePatternSet &patterns) const override {
    addSimplerForms(patterns, /*erase=*/false); // the reduction erases by itself
  }
};

} // namespace

void registerReductionPatterns(DialectRegistry &registry) {
  registry.addExtension(
      +[](MLIRContext *, TTDialect *dialect) { dialect->addInterfaces<ReductionPatterns>(); });
}

} // namespace trisect::tt
