//===- MathFunctions.h - the math dialect without folds that round --------------------------------------===//
//
// What: stands for MLIR's math dialect: the same operations, but those whose result has a stated error
// (`Ulp` in core/ops.def) do not fold. Why: MLIR folds them with rules and a C library of its own, so that
// the result of a kernel would hang on what a compiler happens to know; what a function of constants is,
// each tier's code says, as it does for values from memory. Limits: to be loaded before anything asks for
// MLIR's; the tt dialect and the registry see to it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_MATHFUNCTIONS_H
#define TRISECT_CORE_IR_MATHFUNCTIONS_H

#include "mlir/Dialect/Math/IR/Math.h"

namespace trisect::tt {

class MathFunctions : public mlir::Dialect {
public:
  explicit MathFunctions(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() {
    return mlir::math::MathDialect::getDialectNamespace();
  }
  mlir::Operation *materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value, mlir::Type type,
                                       mlir::Location loc) override;
};

} // namespace trisect::tt

/// Whoever asks for MLIR's dialect gets this one.
template <> struct mlir::detail::TypeIDResolver<trisect::tt::MathFunctions> {
  static mlir::TypeID resolveTypeID() { return mlir::TypeID::get<mlir::math::MathDialect>(); }
};

#endif // TRISECT_CORE_IR_MATHFUNCTIONS_H
