//===- RegionOps.td - reduce, scan and element maps -----------------------------------------------------===//
//
// None of these has a custom form; they print generically, as every release prints them.
//
//===----------------------------------------------------------------------------------------------------===//
include "core/ir/OpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TT_ReduceOp : TT_Op<"reduce", [Pure, SingleBlock]> {
  let summary = "folds blocks along an axis with a combine region, in any association";
  let arguments = (ins Variadic<TT_AnyTensor>:$srcs, TT_I32Attr:$axis);
  let results = (outs Variadic<TT_ValueLike>:$results);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ReduceReturnOp : TT_Op<"reduce.return", [HasParent<"ReduceOp">, Pure, ReturnLike, Terminator]> {
  let summary = "end of a combine region";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "$srcs attr-dict `:` type($srcs)";
}

def TT_ScanOp : TT_Op<"scan", [Pure, SingleBlock]> {
  let summary = "inclusive scan along an axis, from the front or from the end";
  let arguments = (ins Variadic<TT_AnyTensor>:$srcs, TT_I32Attr:$axis, BoolAttr:$reverse);
  let results = (outs Variadic<TT_AnyTensor>:$results);
  let regions = (region SizedRegion<1>:$combineOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_ScanReturnOp : TT_Op<"scan.return", [HasParent<"ScanOp">, Pure, ReturnLike, Terminator]> {
  let summary = "end of a combine region";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "$srcs attr-dict `:` type($srcs)";
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [RecursiveMemoryEffects]> {
  let summary = "runs a scalar region for each group of `pack` elements";
  let arguments = (ins Variadic<TT_AnyTensor>:$srcs, TT_I32Attr:$pack);
  let results = (outs Variadic<TT_AnyTensor>:$results);
  let regions = (region MinSizedRegion<1>:$scalarOp);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TT_MapElementwiseReturnOp
    : TT_Op<"map_elementwise.return", [HasParent<"MapElementwiseOp">, Pure, ReturnLike, Terminator]> {
  let summary = "end of a scalar region";
  let arguments = (ins Variadic<AnyType>:$srcs);
  let assemblyFormat = "$srcs attr-dict `:` type($srcs)";
}
