//===- Attrs.h - enumerations and attributes of the tt dialect ------------------------------------------===//
#ifndef TRISECT_CORE_IR_ATTRS_H
#define TRISECT_CORE_IR_ATTRS_H

#include "mlir/IR/BuiltinAttributes.h"

#include "core/ir/Enums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "core/ir/Attrs.h.inc"

namespace trisect::tt {

/// A flag that may be spelled as a unit attribute (newer text) or as a boolean (older text).
inline bool isFlagSet(mlir::Attribute flag) {
  auto boolean = llvm::dyn_cast_if_present<mlir::BoolAttr>(flag);
  return boolean ? boolean.getValue() : static_cast<bool>(flag);
}

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_ATTRS_H
