//===- BackendErrors.cpp - what LLVM reports while it generates code ------------------------------------===//
#include "backends/common/BackendErrors.h"
#include "core/support/Outcome.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

namespace trisect {

namespace {
class Collector final : public llvm::DiagnosticHandler {
public:
  explicit Collector(std::string &text) : text(text) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return false;
    llvm::raw_string_ostream stream(text);
    if (!text.empty())
      stream << '\n';
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

private:
  std::string &text;
};
} // namespace

BackendErrors::BackendErrors(llvm::LLVMContext &context)
    : context(context), before(context.getDiagnosticHandler()) {
  context.setDiagnosticHandler(std::make_unique<Collector>(text));
}

BackendErrors::~BackendErrors() { context.setDiagnosticHandler(std::move(before)); }

void BackendErrors::raise(std::string_view target) const {
  if (!text.empty())
    throw EngineError("LLVM cannot generate code for '" + std::string(target) + "': " + text);
}

} // namespace trisect
