//===- LegacyOps.td - operations that exist only between the parser and the upgrade ---------------------===//
//
// What: spellings of single releases, as operations of their own. Reading a module (Parse.h) replaces them at
// once (Upgrade.h); no pass and no tier meets them, and the op table does not list them.
// Why: MLIR's own parser then checks their text and reports positions.
//
//===----------------------------------------------------------------------------------------------------===//
include "core/ir/OpBase.td"

def TT_LegacyTrait : NativeOpTrait<"LegacySpelling"> {
  let cppNamespace = "::trisect::tt";
}

class TT_LegacyOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([TT_LegacyTrait], traits)>;

def TT_RawDescriptor : TT_TypeIf<"isDescriptorOrPointer", "tensor descriptor or pointer to one">;

def TT_ExperimentalDescriptorLoadOp : TT_LegacyOp<"experimental_descriptor_load"> {
  let summary = "descriptor_load of 3.0 to 3.3";
  let arguments = (ins TT_RawDescriptor:$desc, Variadic<I32>:$indices,
                       DefaultValuedAttr<TT_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($desc) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_ExperimentalDescriptorStoreOp : TT_LegacyOp<"experimental_descriptor_store"> {
  let summary = "descriptor_store of 3.0 to 3.3";
  let arguments = (ins TT_RawDescriptor:$desc, TT_AnyTensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` type($desc) `,` type($src)";
  let hasVerifier = 1;
}

def TT_ExperimentalDescriptorGatherOp : TT_LegacyOp<"experimental_descriptor_gather"> {
  let summary = "descriptor_gather of 3.3";
  let arguments = (ins TT_RawDescriptor:$desc, TT_IntTensor:$x_offsets, I32:$y_offset);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_ExperimentalDescriptorScatterOp : TT_LegacyOp<"experimental_descriptor_scatter"> {
  let summary = "descriptor_scatter of 3.3";
  let arguments = (ins TT_RawDescriptor:$desc, TT_IntTensor:$x_offsets, I32:$y_offset, TT_AnyTensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def TT_ScaledDotOp : TT_LegacyOp<"scaled_dot"> {
  let summary = "dot_scaled of 3.2 in the generic form";
  let arguments = (ins TT_AnyTensor:$a, TT_AnyTensor:$b, TT_FloatTensor:$c, TT_AnyTensor:$lhs_scale,
                       Optional<TT_AnyTensor>:$rhs_scale, TT_ScaledFormatAttr:$lhs_type,
                       TT_ScaledFormatAttr:$rhs_type);
  let results = (outs TT_FloatTensor:$d);
}

def TT_AssumeOp : TT_LegacyOp<"assume"> {
  let summary = "llvm.intr.assume in the custom form; the operand bundles of newer LLVM are dropped";
  let arguments = (ins I1:$condition, Variadic<AnyType>:$bundle,
                       OptionalAttr<DenseI32ArrayAttr>:$op_bundle_sizes,
                       OptionalAttr<ArrayAttr>:$op_bundle_tags);
  let hasCustomAssemblyFormat = 1;
}

def TT_UForOp : TT_LegacyOp<"ufor", [SingleBlock]> {
  let summary = "scf.for that counts unsigned";
  let arguments = (ins Variadic<AnyType>:$operands);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}
