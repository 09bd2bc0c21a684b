//===- TrisectReduce.cpp - shrinks a failing module -----------------------------------------------------===//
//
// What: mlir-reduce for TTIR. A script decides whether a smaller module still fails in the same way: it gets
// a file name and exits with 1 if so (docs/passes.md has an example). Text that MLIR's parser must not see is
// refused before it does.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Registry.h"
#include "core/ir/TextGuard.h"
#include "core/passes/Passes.h"
#include "core/support/Outcome.h"
#include "core/tools/ReductionPatterns.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdio>

namespace {
/// Every word that names a file may be the module; what is none is mlir-reduce's to refuse.
void guardFiles(llvm::ArrayRef<char *> words) {
  for (const char *word : words)
    if (auto file = llvm::MemoryBuffer::getFile(word))
      trisect::tt::guardText({word, (*file)->getBuffer()});
}
} // namespace

int main(int argc, char **argv) {
  try {
    guardFiles({argv + 1, argv + argc});
  } catch (const trisect::InvalidInput &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  mlir::DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  trisect::tt::registerReductionPatterns(registry);
  trisect::tt::registerPasses();
  mlir::MLIRContext context(registry);
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
