//===- ShapeOps.td - making blocks and moving their elements --------------------------------------------===//
include "core/ir/OpBase.td"

def TT_MakeRangeOp : TT_Op<"make_range", [Pure]> {
  let summary = "start, start+1, ... end-1";
  let arguments = (ins TT_I32Attr:$start, TT_I32Attr:$end);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_SplatOp : TT_Op<"splat", [Pure]> {
  let summary = "a block with every element equal to a scalar";
  let arguments = (ins TT_Scalar:$src);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_UnsplatOp : TT_Op<"unsplat", [Pure]> {
  let summary = "the only element of a block";
  let arguments = (ins TT_AnyTensor:$src);
  let results = (outs TT_Scalar:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `` custom<ElementOf>(ref(type($src)), type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_ExpandDimsOp : TT_Op<"expand_dims", [Pure]> {
  let summary = "inserts a unit dimension";
  let arguments = (ins TT_AnyTensor:$src, TT_I32Attr:$axis);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_BroadcastOp : TT_Op<"broadcast", [Pure]> {
  let summary = "repeats unit dimensions";
  let arguments = (ins TT_AnyTensor:$src);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_ReshapeOp : TT_Op<"reshape", [Pure]> {
  let summary = "row-major reinterpretation; with allow_reorder elements may come in any order";
  let arguments = (ins TT_AnyTensor:$src, TT_FlagAttr:$allow_reorder, UnitAttr:$efficient_layout);
  let results = (outs TT_AnyTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_TransOp : TT_Op<"trans", [Pure]> {
  let summary = "permutes dimensions: result dimension i is source dimension order[i]";
  let arguments = (ins TT_AnyTensor:$src, DenseI32ArrayAttr:$order);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_CatOp : TT_Op<"cat", [NoMemoryEffect]> {
  let summary = "the elements of both blocks, in any order";
  let arguments = (ins TT_AnyTensor:$lhs, TT_AnyTensor:$rhs);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `` custom<TypeOf>(ref(type($lhs)), type($rhs)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_JoinOp : TT_Op<"join", [Pure]> {
  let summary = "two blocks side by side along a new last dimension";
  let arguments = (ins TT_AnyTensor:$lhs, TT_AnyTensor:$rhs);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `` custom<TypeOf>(ref(type($lhs)), type($rhs)) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_SplitOp : TT_Op<"split", [Pure]> {
  let summary = "undoes a join";
  let arguments = (ins TT_AnyTensor:$src);
  let results = (outs TT_AnyTensor:$lhs, TT_AnyTensor:$rhs);
  let assemblyFormat = [{
    $src attr-dict `:` type($src) `->` type($lhs) `` custom<TypeOf>(ref(type($lhs)), type($rhs))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_GatherOp : TT_Op<"gather", [Pure]> {
  let summary = "picks elements along an axis by index";
  let arguments = (ins TT_AnyTensor:$src, TT_IntTensor:$indices, TT_I32Attr:$axis,
                       UnitAttr:$efficient_layout);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$src `[` $indices `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TT_HistogramOp : TT_Op<"histogram", [Pure]> {
  let summary = "bin b counts the active elements that equal b";
  let arguments = (ins TT_IntTensor:$src, Optional<TT_BoolLike>:$mask);
  let results = (outs TT_IntTensor:$result);
  let assemblyFormat = [{
    $src (`,` $mask^)? attr-dict `:` type($src)
    `` custom<MaskOf>(ref(type($src)), ref($mask), type($mask)) `->` type($result)
  }];
  let hasVerifier = 1;
}
