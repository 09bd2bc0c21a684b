//===- DebugOps.td - printing, assertions, foreign code and launch ordering -----------------------------===//
include "core/ir/OpBase.td"

def TT_PrintOp : TT_Op<"print", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "prints each element with program id and index";
  let arguments = (ins StrAttr:$prefix, BoolAttr:$hex, Variadic<TT_ValueLike>:$args,
                       DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$isSigned);
  let assemblyFormat = "$prefix attr-dict (`:` $args^ `:` type($args))?";
  let hasVerifier = 1;
}

def TT_AssertOp : TT_Op<"assert", [MemoryEffects<[MemWrite<TT_GlobalMemory>]>]> {
  let summary = "stops the program if any element is false";
  let arguments = (ins TT_BoolLike:$condition, StrAttr:$message);
  let hasCustomAssemblyFormat = 1;
  let hasCanonicalizeMethod = 1;
}

class TT_ForeignCodeOp<string mnemonic>
    : TT_Op<mnemonic, [DeclareOpInterfaceMethods<ConditionallySpeculatable>,
                       DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]>;

def TT_ExternElementwiseOp : TT_ForeignCodeOp<"extern_elementwise"> {
  let summary = "calls a named scalar function for each element";
  let arguments = (ins Variadic<TT_ValueLike>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol,
                       BoolAttr:$pure);
  let results = (outs TT_ValueLike:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def TT_ElementwiseInlineAsmOp : TT_ForeignCodeOp<"elementwise_inline_asm"> {
  let summary = "runs target assembly on groups of packed elements";
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, TT_I32Attr:$packed_element,
                       Variadic<TT_ValueLike>:$args);
  let results = (outs Variadic<TT_ValueLike>:$results);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($results)";
  let hasVerifier = 1;
}

class TT_GridDependencyOp<string mnemonic>
    : TT_Op<"grid_dependency_" # mnemonic,
            [MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>]> {
  let assemblyFormat = "attr-dict";
}

def TT_GridDependencyWaitOp : TT_GridDependencyOp<"wait"> {
  let summary = "waits for the writes of the preceding launch";
}

def TT_GridDependencyLaunchDependentsOp : TT_GridDependencyOp<"launch_dependents"> {
  let summary = "lets a dependent launch start";
}
