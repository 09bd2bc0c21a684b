//===- Attrs.cpp - attributes of the tt dialect ---------------------------------------------------------===//
#include "core/ir/Attrs.h"
#include "core/ir/Dialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "core/ir/Enums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "core/ir/Attrs.cpp.inc"

namespace trisect::tt {

void TTDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "core/ir/Attrs.cpp.inc"
      >();
}

} // namespace trisect::tt
