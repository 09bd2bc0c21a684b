//===- BlockPointerOps.td - block pointers --------------------------------------------------------------===//
include "core/ir/OpBase.td"

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [Pure, SameVariadicOperandSize]> {
  let summary = "pointer to a block of a tensor in memory";
  let arguments = (ins TT_PtrType:$base, Variadic<I64>:$shape, Variadic<I64>:$strides, Variadic<I32>:$offsets,
                       DenseI32ArrayAttr:$order);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:`
    custom<ShortType>(type($result)) `` custom<BaseOfBlockPtr>(ref(type($result)), type($base))
  }];
  let hasVerifier = 1;
}

def TT_AdvanceOp : TT_Op<"advance", [Pure]> {
  let summary = "moves a block pointer by offsets";
  let arguments = (ins TT_BlockPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_BlockPtr:$result);
  let assemblyFormat = [{
    $ptr `,` `[` $offsets `]` attr-dict `:` custom<ShortType>(type($result))
    `` custom<TypeOf>(ref(type($result)), type($ptr))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}
