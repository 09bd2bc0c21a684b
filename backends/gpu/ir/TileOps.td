//===- TileOps.td - moving blocks between layouts and shared memory -------------------------------------===//
//
// Attributes that packing adds: `offset` of a buffer, and `tile.scratch = array<i64: offset, bytes>` of any
// operation that needs shared memory while it runs (convert, tt.reduce, tt.scan ...).
//
//===----------------------------------------------------------------------------------------------------===//
include "backends/gpu/ir/TileDialect.td"
include "core/ir/Attrs.td"
include "core/ir/OpBase.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

def Tile_SharedMemory : Resource<"::trisect::gpu::SharedMemory">;
defvar Tile_ReadShared = MemRead<Tile_SharedMemory>;
defvar Tile_WriteShared = MemWrite<Tile_SharedMemory>;

def Tile_ConvertOp : Tile_Op<"convert", [Pure]> {
  let summary = "the same block in another layout";
  let arguments = (ins TT_AnyTensor:$src);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BufferOp : Tile_Op<"buffer", [MemoryEffects<[MemAlloc<Tile_SharedMemory>]>]> {
  let summary = "room in shared memory for `slots` blocks; `offset` in bytes after packing";
  let arguments = (ins OptionalAttr<I64Attr>:$offset, DefaultValuedAttr<I64Attr, "1">:$slots);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SlotOp : Tile_Op<"slot", [Pure, AllTypesMatch<["buffer", "result"]>]> {
  let summary = "one of the blocks of a buffer, the first by itself";
  let arguments = (ins Tile_BufferType:$buffer, I32:$index);
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "$buffer `[` $index `]` attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Tile_BufferStoreOp : Tile_Op<"store", [MemoryEffects<[Tile_WriteShared]>]> {
  let summary = "writes a block to a buffer";
  let arguments = (ins TT_AnyTensor:$src, Tile_BufferType:$buffer);
  let assemblyFormat = "$src `,` $buffer attr-dict `:` type($src) `,` type($buffer)";
  let hasVerifier = 1;
}

def Tile_BufferLoadOp : Tile_Op<"load", [MemoryEffects<[Tile_ReadShared]>]> {
  let summary = "reads a block from a buffer";
  let arguments = (ins Tile_BufferType:$buffer);
  let results = (outs TT_AnyTensor:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_CopyOp : Tile_Op<"copy", [AttrSizedOperandSegments,
                                   MemoryEffects<[MemRead<TT_GlobalMemory>, Tile_WriteShared]>]> {
  let summary = "starts to copy from global memory to a buffer; masked-off elements become `other`, else zero";
  let arguments = (ins TT_AnyTensor:$ptr, Tile_BufferType:$buffer, Optional<TT_BoolLike>:$mask,
                       Optional<TT_AnyTensor>:$other,
                       DefaultValuedAttr<TT_CacheModifierAttr, "::trisect::tt::CacheModifier::None">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "::trisect::tt::EvictionPolicy::Normal">:$evict);
  let assemblyFormat = [{
    $ptr `,` $buffer (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? attr-dict
    `:` type($ptr) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_CommitOp : Tile_Op<"commit", [MemoryEffects<[Tile_ReadShared, Tile_WriteShared]>]> {
  let summary = "closes a group of copies";
  let assemblyFormat = "attr-dict";
}

def Tile_WaitOp : Tile_Op<"wait", [MemoryEffects<[Tile_ReadShared, Tile_WriteShared]>]> {
  let summary = "waits until at most `pending` groups of this thread's copies are under way";
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier", [MemoryEffects<[Tile_ReadShared, Tile_WriteShared]>]> {
  let summary = "all threads of the program wait for each other; what they wrote is seen by all";
  let assemblyFormat = "attr-dict";
}

def Tile_DotOp : Tile_Op<"dot", [MemoryEffects<[Tile_ReadShared]>]> {
  let summary = "d = a * b + c";
  let description = [{
    `path` says how: `mma` (tensor cores of a warp), `wgmma` (of four warps), or `fma`. An operand is a buffer, or
    a block; for `mma` in registers of the threads whose instruction takes them (mma() of backends/gpu/layouts/TensorCore.h).
  }];
  let arguments = (ins AnyTypeOf<[TT_AnyTensor, Tile_BufferType]>:$a,
                       AnyTypeOf<[TT_AnyTensor, Tile_BufferType]>:$b, TT_AnyTensor:$c, StrAttr:$path,
                       DefaultValuedAttr<TT_InputPrecisionAttr, "::trisect::tt::InputPrecision::Ieee">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc);
  let results = (outs TT_AnyTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c `,` $path (`,` `inputPrecision` `=` $inputPrecision^)? attr-dict `:` type($a) `*` type($b) `->` type($c)
    `` custom<TypeOf>(ref(type($c)), type($d))
  }];
  let hasVerifier = 1;
}
