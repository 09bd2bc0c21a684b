//===- Traits.h - what every operation of the tt dialect guarantees -------------------------------------===//
//
// What: TileOp, the trait of all tt operations: tensors have power-of-two dimensions, at most 2^20 elements
// and no layout but one that a lower level of the IR declares as such. GlobalMemory, the resource that memory
// effects name.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_TRAITS_H
#define TRISECT_CORE_IR_TRAITS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace trisect::tt {

/// Checks one type; `what` names it in the message ("operand #0").
mlir::LogicalResult verifyTileType(llvm::function_ref<mlir::InFlightDiagnostic()> emitError, mlir::Type type,
                                   const llvm::Twine &what);
/// Checks all operand and result types.
mlir::LogicalResult verifyTileOp(mlir::Operation *op);

template <typename ConcreteType> class TileOp : public mlir::OpTrait::TraitBase<ConcreteType, TileOp> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifyTileOp(op); }
};

/// Trait of attributes that may be the encoding of a tensor: layouts of a dialect below TTIR.
template <typename ConcreteType>
class IsTensorLayout : public mlir::AttributeTrait::TraitBase<ConcreteType, IsTensorLayout> {};

struct GlobalMemory : public mlir::SideEffects::Resource::Base<GlobalMemory> {
  llvm::StringRef getName() final { return "global memory"; }
};

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_TRAITS_H
