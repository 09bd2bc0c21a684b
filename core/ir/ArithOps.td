//===- ArithOps.td - arithmetic that the arith and math dialects lack -----------------------------------===//
include "core/ir/OpBase.td"

class TT_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([Pure], traits)>;

class TT_BinaryOp<string mnemonic, Type type> : TT_ElementwiseOp<mnemonic> {
  let arguments = (ins type:$x, type:$y);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` type($x) `` custom<TypeOf>(ref(type($x)), type($y))
    `` custom<TypeOf>(ref(type($x)), type($result))
  }];
  let hasVerifier = 1;
}

def TT_ClampFOp : TT_ElementwiseOp<"clampf"> {
  let summary = "min(max(x, min), max)";
  let arguments = (ins TT_FloatLike:$x, TT_FloatLike:$min, TT_FloatLike:$max,
                       TT_PropagateNanAttr:$propagateNan);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $x `,` $min `,` $max `,` `propagateNan` `=` $propagateNan attr-dict `:` type($x)
    `` custom<TypeOf>(ref(type($x)), type($min)) `` custom<TypeOf>(ref(type($x)), type($max))
    `` custom<TypeOf>(ref(type($x)), type($result))
  }];
  let hasVerifier = 1;
}

def TT_FpToFpOp : TT_ElementwiseOp<"fp_to_fp"> {
  let summary = "float conversion; a narrowing one states its rounding";
  let arguments = (ins TT_FloatLike:$src, OptionalAttr<TT_RoundingModeAttr>:$rounding);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = [{
    $src (`,` `rounding` `=` $rounding^)? attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_PreciseSqrtOp : TT_ElementwiseOp<"precise_sqrt"> {
  let summary = "correctly rounded square root";
  let arguments = (ins TT_FloatLike:$x);
  let results = (outs TT_FloatLike:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `` custom<TypeOf>(ref(type($x)), type($result))";
  let hasVerifier = 1;
}

def TT_PreciseDivFOp : TT_BinaryOp<"precise_divf", TT_FloatLike> {
  let summary = "correctly rounded quotient";
}

def TT_ApproxDivFOp : TT_BinaryOp<"approx_divf", TT_F32Like> {
  let summary = "quotient of relaxed accuracy, about 2 ULP; any more exact one is valid";
}

def TT_MulhiUIOp : TT_BinaryOp<"mulhiui", TT_IntLike> {
  let summary = "high half of the unsigned product";
}

def TT_DotOp : TT_Op<"dot", [Pure]> {
  let summary = "d = a * b + c on matrices, or on batches of them";
  let arguments = (ins
    TT_AnyTensor:$a, TT_AnyTensor:$b, TT_AnyTensor:$c,
    DefaultValuedAttr<TT_InputPrecisionAttr, "InputPrecision::Ieee">:$inputPrecision,
    DefaultValuedAttr<TT_I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_AnyTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:`
    type($a) `*` type($b) `->` type($d)
    `` custom<TypeOf>(ref(type($d)), type($c))
  }];
  let hasVerifier = 1;
}

def TT_DotScaledOp : TT_Op<"dot_scaled", [AttrSizedOperandSegments, Pure]> {
  let summary = "d = (a scaled) * (b scaled) + c, with one scale for a group of elements along K";
  let arguments = (ins
    TT_AnyTensor:$a, TT_AnyTensor:$b, TT_FloatTensor:$c,
    Optional<TT_AnyTensor>:$a_scale, Optional<TT_AnyTensor>:$b_scale,
    TT_ScaledFormatAttr:$a_elem_type, TT_ScaledFormatAttr:$b_elem_type, BoolAttr:$fastMath,
    DefaultValuedAttr<BoolAttr, "true">:$lhs_k_pack, DefaultValuedAttr<BoolAttr, "true">:$rhs_k_pack);
  let results = (outs TT_FloatTensor:$d);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
