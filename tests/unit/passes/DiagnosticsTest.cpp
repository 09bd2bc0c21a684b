//===- DiagnosticsTest.cpp - what MLIR reports, printed and attached as asked ---------------------------===//
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Options.h"
#include <gtest/gtest.h>

using namespace trisect;

namespace {
struct Reported {
  std::string printed, error;
};

/// What is printed of a warning and a remark, and the text of an error, under a value of the option.
Reported reported(std::optional<std::string> asked) {
  setOption(OptionId::MlirDiagnostics, std::move(asked));
  mlir::MLIRContext context;
  tt::loadDialects(context);
  auto module = tt::parseModule("module { tt.func public @add(%x: i32) { tt.return } }", "m", context);
  mlir::Operation *function = &module->getBody()->front();
  testing::internal::CaptureStderr();
  tt::DiagnosticCollector diagnostics(context);
  function->emitWarning("slow");
  function->emitRemark("unrolled");
  function->emitError("wrong");
  std::string error = diagnostics.render();
  setOption(OptionId::MlirDiagnostics, std::nullopt);
  return {testing::internal::GetCapturedStderr(), error};
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

TEST(DiagnosticsTest, WarningsAndRemarksAreShownWhenAsked) {
  EXPECT_EQ(reported(std::nullopt).printed, "");
  Reported warnings = reported("warnings"), remarks = reported("remarks,warnings");
  EXPECT_TRUE(has(warnings.printed, "warning: slow") && !has(warnings.printed, "unrolled"))
      << warnings.printed;
  EXPECT_TRUE(has(remarks.printed, "warning: slow") && has(remarks.printed, "remark: unrolled"))
      << remarks.printed;
  EXPECT_FALSE(has(remarks.printed, "wrong")) << remarks.printed; // errors are thrown
  EXPECT_EQ(remarks.error, reported(std::nullopt).error);
}

TEST(DiagnosticsTest, ErrorsCarryTheOperationAndTheStackWhenAsked) {
  std::string plain = reported(std::nullopt).error;
  EXPECT_TRUE(has(plain, "error: wrong") && !has(plain, "tt.func") && !has(plain, "trace")) << plain;
  EXPECT_TRUE(has(reported("operations").error, "sym_name = \"add\"")) << reported("operations").error;
  EXPECT_TRUE(has(reported("stacktraces").error, "trace")) << reported("stacktraces").error;
  EXPECT_EQ(reported(std::nullopt).error, plain);
}
} // namespace
