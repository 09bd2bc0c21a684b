//===- TypeExpander.h - taking compound values apart ----------------------------------------------------===//
//
// What: replaces every value of some types (block pointers, descriptors) by several values of simpler types,
// through block arguments, loops, branches, calls and functions. Why: both rewrites to plain pointers need
// exactly this. How: expandStructure() rebuilds whatever only passes values on; the pass then rewrites the
// operations that make or use such values with split() and join(), in any order; finish() connects the two
// ends. In between stand unrealized casts. Limits: an operation that is neither in the list of
// expandStructure() nor rewritten by the pass is an error.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_TYPEEXPANDER_H
#define TRISECT_CORE_PASSES_TYPEEXPANDER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace trisect::tt {

class TypeExpander {
public:
  /// The parts of a type, or none for a type that stays.
  using Parts = std::function<llvm::SmallVector<mlir::Type>(mlir::Type)>;

  TypeExpander(mlir::ModuleOp module, Parts partsOf) : module(module), partsOf(std::move(partsOf)) {}

  /// Rebuilds functions, calls, returns, scf.for/while/if with their terminators, cf branches, selects
  /// between and poison of such values.
  void expandStructure();
  /// The parts of a value, usable at the builder's position.
  llvm::SmallVector<mlir::Value> split(mlir::OpBuilder &builder, mlir::Value whole);
  /// Stands for the parts wherever the whole is used.
  mlir::Value join(mlir::OpBuilder &builder, mlir::Type whole, mlir::ValueRange parts);
  /// Removes the casts; an error names the first use that nobody rewrote.
  mlir::LogicalResult finish();

private:
  bool expands(mlir::Type type) const { return !partsOf(type).empty(); }
  bool isJoin(mlir::UnrealizedConversionCastOp op) const;
  bool isSplit(mlir::UnrealizedConversionCastOp op) const;
  bool touches(mlir::Operation *op) const;
  llvm::SmallVector<mlir::Type> expandTypes(mlir::TypeRange types) const;
  void expandArguments(mlir::Block &block);
  void expandSignature(mlir::Operation *func);
  void rebuild(mlir::Operation *op);
  void rebuildSelect(mlir::Operation *op);
  void rebuildPoison(mlir::Operation *op);

  mlir::ModuleOp module;
  Parts partsOf;
};

} // namespace trisect::tt

#endif // TRISECT_CORE_PASSES_TYPEEXPANDER_H
