//===- ArithOps.h - arithmetic that the arith and math dialects lack -----------------------------------===//
#ifndef TRISECT_CORE_IR_ARITHOPS_H
#define TRISECT_CORE_IR_ARITHOPS_H

#include "core/ir/Attrs.h"
#include "core/ir/Dialect.h"
#include "core/ir/Traits.h"
#include "core/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "core/ir/ArithOps.h.inc"

#endif // TRISECT_CORE_IR_ARITHOPS_H
