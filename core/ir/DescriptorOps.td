//===- DescriptorOps.td - tensor descriptors ------------------------------------------------------------===//
include "core/ir/OpBase.td"

defvar TT_ReadGlobal = MemoryEffects<[MemRead<TT_GlobalMemory>]>;
defvar TT_WriteGlobal = MemoryEffects<[MemWrite<TT_GlobalMemory>]>;
defvar TT_ReadWriteGlobal = MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>;

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "descriptor of a tensor in memory";
  let arguments = (ins TT_PtrType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                       DefaultValuedAttr<TT_PaddingOptionAttr, "PaddingOption::Zero">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)
  }];
  let hasVerifier = 1;
}

def TT_ReinterpretTensorDescOp : TT_Op<"reinterpret_tensor_descriptor", [Pure]> {
  let summary = "descriptor that memory holds already";
  let arguments = (ins TT_PtrType:$rawDesc);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$rawDesc attr-dict `:` qualified(type($rawDesc)) `to` qualified(type($result))";
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load", [TT_ReadGlobal]> {
  let summary = "reads a block; outside the tensor it reads the padding";
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices,
                       DefaultValuedAttr<TT_CacheModifierAttr, "CacheModifier::None">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict,
                       OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$desc, "::mlir::ValueRange":$indices,
                   CArg<"CacheModifier", "CacheModifier::None">:$cache,
                   CArg<"EvictionPolicy", "EvictionPolicy::Normal">:$evict)>
  ];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store", [TT_WriteGlobal]> {
  let summary = "writes a block; elements outside the tensor are dropped";
  let arguments = (ins TT_TensorDescType:$desc, TT_AnyTensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce", [TT_ReadWriteGlobal]> {
  let summary = "combines a block with memory, atomically for each element";
  let arguments = (ins TT_DescriptorReduceKindAttr:$kind, TT_TensorDescType:$desc, TT_AnyTensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather", [TT_ReadGlobal]> {
  let summary = "reads rows by index";
  let arguments = (ins TT_TensorDescType:$desc, TT_IntTensor:$x_offsets, I32:$y_offset);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = [{
    $desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter", [TT_WriteGlobal]> {
  let summary = "writes rows by index";
  let arguments = (ins TT_TensorDescType:$desc, TT_IntTensor:$x_offsets, I32:$y_offset, TT_AnyTensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

def TT_TensormapCreateOp : TT_Op<"experimental_tensormap_create",
                                 [AttrSizedOperandSegments, TT_ReadWriteGlobal]> {
  let summary = "writes a descriptor to memory";
  let arguments = (ins
    TT_PtrType:$desc_ptr, TT_PtrType:$global_address, Variadic<I32>:$box_dim, Variadic<I32>:$global_dim,
    Variadic<I64>:$global_stride, Variadic<I32>:$element_stride,
    TT_I32Attr:$elem_type, TT_I32Attr:$interleave_layout, TT_I32Attr:$swizzle_mode, TT_I32Attr:$fill_mode);
  let assemblyFormat = [{
    $desc_ptr `,` $global_address `,` `[` $box_dim `]` `,` `[` $global_dim `]` `,` `[` $global_stride `]` `,`
    `[` $element_stride `]` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}
