//===- GuardedContext.h - a context where there is room for its module ----------------------------------===//
//
// What: an MLIRContext of one thread with the dialects loaded; throws OutOfAddressSpace where the limits of
// the process leave less than what comes after may take. Why: MLIR and LLVM end the process when they get no
// memory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_GUARDEDCONTEXT_H
#define TRISECT_CORE_IR_GUARDEDCONTEXT_H

#include "core/ir/Registry.h"
#include "core/support/AddressSpace.h"
#include "mlir/IR/MLIRContext.h"

namespace trisect::tt {

class GuardedContext : public mlir::MLIRContext {
public:
  explicit GuardedContext(int64_t space = spaceToRead, const char *doing = "to read a module")
      : mlir::MLIRContext(afterCheck(space, doing)) {
    loadDialects(*this);
  }

private:
  static Threading afterCheck(int64_t space, const char *doing) {
    requireAddressSpace(space, doing);
    return Threading::DISABLED;
  }
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_GUARDEDCONTEXT_H
