//===- TestPrintAxisInfo.cpp - axis facts as remarks ----------------------------------------------------===//
//
// What: one remark for each operation with a result of integers or pointers, and for each such block argument
// of a loop or function, with its axis facts. Why: tests read them beside the line that they speak of.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/tools/TestPrintAxisInfo.h"
#include "core/analysis/AxisAnalysis.h"
#include "core/ir/TypeUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

namespace trisect::tt {

namespace {
using namespace mlir;

struct TestPrintAxisInfo : PassWrapper<TestPrintAxisInfo, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPrintAxisInfo)

  StringRef getArgument() const final { return "test-print-axis-info"; }
  StringRef getDescription() const final { return "say what is known of each value along its dimensions"; }

  void runOnOperation() override {
    AxisFacts facts(getOperation());
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (auto [index, result] : llvm::enumerate(op->getResults()))
        if (op->getNumResults() == 1)
          report(facts, op, "result", result);
        else
          report(facts, op, "result " + std::to_string(index), result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            report(facts, op, "argument " + std::to_string(argument.getArgNumber()), argument);
    });
  }

  static void report(const AxisFacts &facts, Operation *op, const std::string &what, Value value) {
    if (!isIntLike(value.getType()) && !isPtrLike(value.getType()))
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    facts.of(value).print(stream);
    op->emitRemark() << what << ": " << stream.str();
  }
};

} // namespace

void registerTestPrintAxisInfo() { PassRegistration<TestPrintAxisInfo>(); }

} // namespace trisect::tt
