//===- LegacyOps.h - operations that exist only between the parser and the upgrade ----------------------===//
#ifndef TRISECT_CORE_IR_LEGACYOPS_H
#define TRISECT_CORE_IR_LEGACYOPS_H

#include "core/ir/Attrs.h"
#include "core/ir/Dialect.h"
#include "core/ir/Traits.h"
#include "core/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace trisect::tt {

/// Marks operations that reading a module replaces.
template <typename ConcreteType>
class LegacySpelling : public mlir::OpTrait::TraitBase<ConcreteType, LegacySpelling> {};

} // namespace trisect::tt

#define GET_OP_CLASSES
#include "core/ir/LegacyOps.h.inc"

#endif // TRISECT_CORE_IR_LEGACYOPS_H
