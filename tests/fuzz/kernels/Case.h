//===- Case.h - a kernel with its launch ----------------------------------------------------------------===//
//
// What: a TTIR module, a grid and arguments, as one text that can be kept in a file and run again:
//
//     // grid: 2,1
//     // args: i32[1024]:randbits(3); same 0; -5
//     tt.func public @k(...)
//
// Arguments are those of docs/run-tests.md; `same N` is the buffer of argument N once more. Why: what the
// fuzzer finds must outlive the fuzzer that made it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_CASE_H
#define TRISECT_TESTS_FUZZ_KERNELS_CASE_H

#include "core/support/Launch.h"
#include <string>
#include <string_view>
#include <vector>

namespace trisect::fuzz {

struct Case {
  Grid grid;
  std::vector<std::string> arguments;
  std::string module;

  std::string text() const;
  /// Throws InvalidInput.
  static Case read(std::string_view text);
};

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_CASE_H
