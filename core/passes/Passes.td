//===- Passes.td - the TTIR passes ----------------------------------------------------------------------===//
//
// What: name, summary and dependent dialects of every pass; docs/passes.md shows what each does.
// Why these names: they are the ones that users of Triton type.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PASSES_PASSES_TD
#define TRISECT_CORE_PASSES_PASSES_TD

include "mlir/Pass/PassBase.td"

def DropUnreachable : Pass<"drop-unreachable", "::mlir::ModuleOp"> {
  let summary = "erase blocks that no path reaches, such as those after a return";
}

def RequireDefined : Pass<"require-defined", "::mlir::ModuleOp"> {
  let summary = "assert that what decides a loop, a branch or a descriptor is defined";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def RequireDefinedPointers : Pass<"require-defined-pointers", "::mlir::ModuleOp"> {
  let summary = "assert that shapes and strides of block pointers are defined";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def HideExtremes : Pass<"hide-extremes", "::mlir::ModuleOp"> {
  let summary = "name arith.maxnumf and arith.minnumf otherwise, so that nothing folds them";
}

def ShowExtremes : Pass<"show-extremes", "::mlir::ModuleOp"> {
  let summary = "undo hide-extremes";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonCombine : Pass<"triton-combine", "::mlir::ModuleOp"> {
  let summary = "fuse dot and add, nested addptr, and select after a masked load";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonLoopUnroll : Pass<"triton-loop-unroll", "::mlir::ModuleOp"> {
  let summary = "unroll the loops that carry tt.loop_unroll_factor";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonReorderBroadcast : Pass<"triton-reorder-broadcast", "::mlir::ModuleOp"> {
  let summary = "compute first and splat or broadcast the result";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonRewriteTensorDescriptorToPointer : Pass<"triton-rewrite-tensor-descriptor-to-pointer", "::mlir::ModuleOp"> {
  let summary = "replace tensor descriptors by pointers, masks and padding";
  let description = [{
    A descriptor becomes its base pointer, its shape and strides as i64 and one i1, true if padding is NaN. So do
    descriptors in arguments and results of functions: the signature of a kernel that takes a descriptor changes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def TritonRewriteTensorPointer : Pass<"triton-rewrite-tensor-pointer", "::mlir::ModuleOp"> {
  let summary = "replace block pointers by pointers, masks and padding";
  let description = [{
    A block pointer becomes its base pointer, and shape, strides and offsets as i64, through loops, branches and calls.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // TRISECT_CORE_PASSES_PASSES_TD
