//===- PointerOps.td - pointer arithmetic and bit casts -------------------------------------------------===//
include "core/ir/OpBase.td"

def TT_AddPtrOp : TT_Op<"addptr", [Pure]> {
  let summary = "pointer plus signed offset, counted in elements";
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` type($ptr) `,` type($offset)
    `` custom<TypeOf>(ref(type($ptr)), type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_IntToPtrOp : TT_Op<"int_to_ptr", [Pure]> {
  let summary = "address to pointer";
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_PtrToIntOp : TT_Op<"ptr_to_int", [Pure]> {
  let summary = "pointer to address";
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TT_BitcastOp : TT_Op<"bitcast", [Pure]> {
  let summary = "same bits under another type of the same width";
  let arguments = (ins TT_ValueLike:$src);
  let results = (outs TT_ValueLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
