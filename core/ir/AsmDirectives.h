//===- AsmDirectives.h - pieces of custom assembly that several ops share -------------------------------===//
//
// What: the custom<...> directives of the op formats. Most print nothing: they infer a type that text leaves
// out.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_ASMDIRECTIVES_H
#define TRISECT_CORE_IR_ASMDIRECTIVES_H

#include "core/ir/TypeUtils.h"
#include "mlir/IR/OpImplementation.h"
#include <optional>

namespace trisect::tt {

using OptionalOperand = std::optional<mlir::OpAsmParser::UnresolvedOperand>;

/// `type` is the same as `known`.
inline mlir::ParseResult parseTypeOf(mlir::OpAsmParser &, mlir::Type known, mlir::Type &type) {
  type = known;
  return mlir::success();
}
inline void printTypeOf(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Type) {}

/// `type` is the element type of `known`.
inline mlir::ParseResult parseElementOf(mlir::OpAsmParser &, mlir::Type known, mlir::Type &type) {
  type = elementOf(known);
  return mlir::success();
}
inline void printElementOf(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Type) {}

/// `type` is i1 in the shape of `known`, if the mask is there.
inline mlir::ParseResult parseMaskOf(mlir::OpAsmParser &, mlir::Type known, const OptionalOperand &mask,
                                     mlir::Type &type) {
  if (mask)
    type = maskOf(known);
  return mlir::success();
}
inline void printMaskOf(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Value, mlir::Type) {}

/// The types of an access, from that of its pointer.
mlir::ParseResult parseAccessTypes(mlir::OpAsmParser &parser, mlir::Type ptr, const OptionalOperand &mask,
                                   const OptionalOperand &other, mlir::Type &maskType, mlir::Type &otherType,
                                   mlir::Type &result);
inline void printAccessTypes(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Value, mlir::Value,
                             mlir::Type, mlir::Type, mlir::Type) {}
mlir::ParseResult parseStoreTypes(mlir::OpAsmParser &parser, mlir::Type ptr, const OptionalOperand &mask,
                                  mlir::Type &value, mlir::Type &maskType);
inline void printStoreTypes(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Value, mlir::Type,
                            mlir::Type) {}

/// A pointer type as `<tensor<8xf32>>`; `!tt.ptr<tensor<8xf32>>` is read too.
mlir::ParseResult parseShortType(mlir::OpAsmParser &parser, mlir::Type &type);
void printShortType(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::Type type);

/// The pointer to the elements of a block pointer's tensor.
mlir::ParseResult parseBaseOfBlockPtr(mlir::OpAsmParser &parser, mlir::Type blockPtr, mlir::Type &base);
inline void printBaseOfBlockPtr(mlir::OpAsmPrinter &, mlir::Operation *, mlir::Type, mlir::Type) {}

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_ASMDIRECTIVES_H
