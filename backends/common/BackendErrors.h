//===- BackendErrors.h - what LLVM reports while it generates code --------------------------------------===//
//
// What: while an object of this class lives, errors that a back end reports in a context are collected, and
// raise() throws them. Why: LLVM prints an error that nobody takes and ends the process. Limits: remarks,
// notes and warnings go LLVM's own way; report_fatal_error is no report of this kind.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_BACKENDERRORS_H
#define TRISECT_BACKENDS_COMMON_BACKENDERRORS_H

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
struct DiagnosticHandler;
class LLVMContext;
} // namespace llvm

namespace trisect {

class BackendErrors {
public:
  explicit BackendErrors(llvm::LLVMContext &context);
  ~BackendErrors();
  BackendErrors(const BackendErrors &) = delete;

  /// Throws EngineError with all that was said, if there was an error; `target` is what code was for.
  void raise(std::string_view target) const;

private:
  llvm::LLVMContext &context;
  std::unique_ptr<llvm::DiagnosticHandler> before;
  std::string text;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_BACKENDERRORS_H
