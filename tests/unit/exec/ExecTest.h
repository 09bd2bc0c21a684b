//===- ExecTest.h - running TTIR text in a test ---------------------------------------------------------===//
//
// What: a fixture that parses, decodes and runs, and a mark for tests that touch wild addresses.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_EXEC_EXECTEST_H
#define TRISECT_TESTS_UNIT_EXEC_EXECTEST_H

#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "interp/program/Decode.h"
#include "interp/run/Run.h"
#include "mlir/IR/MLIRContext.h"
#include "tests/unit/Sanitizers.h"
#include <gtest/gtest.h>

namespace trisect::interp {

class ExecTest : public testing::Test {
protected:
  ExecTest() { tt::loadDialects(context); }

  std::shared_ptr<const Program> program(std::string_view text, std::string_view kernel = "") {
    auto module = tt::parseModule(text, "test.ttir", context);
    return decode(*module, kernel);
  }

  /// Runs on a grid; arguments are addresses or bits.
  void launch(std::string_view text, Grid grid, std::vector<ArgBits> args, const RunOptions &options = {}) {
    auto decoded = program(text);
    LaunchRequest request;
    request.grid = grid;
    request.args = args;
    run(*decoded, request, options);
  }

  template <typename T> static ArgBits at(std::vector<T> &data) {
    return reinterpret_cast<ArgBits>(data.data());
  }

  mlir::MLIRContext context;
};

} // namespace trisect::interp

#endif // TRISECT_TESTS_UNIT_EXEC_EXECTEST_H
