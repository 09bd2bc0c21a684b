//===- Types.h - !tt.ptr and !tt.tensordesc -------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_TYPES_H
#define TRISECT_CORE_IR_TYPES_H

#include "mlir/IR/BuiltinTypes.h"

#define GET_TYPEDEF_CLASSES
#include "core/ir/Types.h.inc"

#endif // TRISECT_CORE_IR_TYPES_H
