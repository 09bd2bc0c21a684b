//===- GpuDialect.h - the little of the GPU level that TTIR text may carry ------------------------------===//
#ifndef TRISECT_CORE_IR_GPUDIALECT_H
#define TRISECT_CORE_IR_GPUDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "core/ir/GpuDialect.h.inc"
#include "core/ir/GpuEnums.h.inc"

#define GET_OP_CLASSES
#include "core/ir/GpuOps.h.inc"

#endif // TRISECT_CORE_IR_GPUDIALECT_H
