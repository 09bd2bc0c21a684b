//===- Pch.h - the precompiled header of files that include MLIR ----------------------------------------===//
//
// What: MLIR headers that nearly every MLIR file of this project includes.
// Why: with them precompiled such a file compiles in a quarter of the time.
// Limits: dialect headers that are heavy and rarely used (LLVM, vector) stay out; never included by hand.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_PCH_H
#define TRISECT_CORE_IR_PCH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/TypeSwitch.h"
#include <memory>
#include <string>
#include <vector>

#endif // TRISECT_CORE_IR_PCH_H
