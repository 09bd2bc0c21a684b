//===- FuncOps.h - functions, calls and program identity -----------------------------------------------===//
#ifndef TRISECT_CORE_IR_FUNCOPS_H
#define TRISECT_CORE_IR_FUNCOPS_H

#include "core/ir/Attrs.h"
#include "core/ir/Dialect.h"
#include "core/ir/Traits.h"
#include "core/ir/Types.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "core/ir/FuncOps.h.inc"

#endif // TRISECT_CORE_IR_FUNCOPS_H
