//===- Passes.cpp - registration of passes --------------------------------------------------------------===//
#include "python/bindings/facade/Passes.h"
#include "mlir/Transforms/Passes.h"
#include <mutex>

namespace trisect::ir {

void registerPasses() {
  static std::once_flag once;
  std::call_once(once, [] { mlir::registerTransformsPasses(); });
}

} // namespace trisect::ir
