//===- ArgumentHints.h - what the source promises of block arguments ------------------------------------===//
//
// What: hints of function arguments are their attributes; those of what a loop carries are attributes of the
// loop, `tt.divisibility_arg1` for argument 1 of its body (0 is the induction variable of scf.for).
// Limits: passes that drop what a loop does not change leave such a name as it is: after them only the
// induction variable's can be trusted. A promise made in the condition of an scf.while counts for its body.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_ARGUMENTHINTS_H
#define TRISECT_CORE_IR_ARGUMENTHINTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

namespace trisect::tt {

/// Keeps a hint of an argument; false if it belongs to no function and no loop.
bool setArgumentHint(mlir::BlockArgument argument, llvm::StringRef name, mlir::Attribute hint);

/// Hints of an argument of a function, or of the body of a loop, by their plain names; null if it can have
/// none.
mlir::DictionaryAttr argumentHints(mlir::BlockArgument argument);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_ARGUMENTHINTS_H
