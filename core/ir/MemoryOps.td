//===- MemoryOps.td - loads, stores and atomics ---------------------------------------------------------===//
include "core/ir/OpBase.td"

defvar TT_NoBoundaryCheck = "::llvm::ArrayRef<int32_t>{}";

def TT_LoadOp : TT_Op<"load", [AttrSizedOperandSegments,
                               DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "reads active lanes; the others hold `other` or an undefined value";
  let arguments = (ins
    TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, Optional<TT_ValueLike>:$other,
    DefaultValuedAttr<DenseI32ArrayAttr, TT_NoBoundaryCheck>:$boundaryCheck,
    OptionalAttr<TT_PaddingOptionAttr>:$padding,
    DefaultValuedAttr<TT_CacheModifierAttr, "CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let results = (outs TT_ValueLike:$result);
  let assemblyFormat = [{
    $ptr (`,` $mask^ (`,` $other^)?)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
    `` custom<AccessTypes>(ref(type($ptr)), ref($mask), ref($other), type($mask), type($other), type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ptr, CArg<"::mlir::Value", "{}">:$mask,
                   CArg<"::mlir::Value", "{}">:$other,
                   CArg<"CacheModifier", "CacheModifier::None">:$cache,
                   CArg<"EvictionPolicy", "EvictionPolicy::Normal">:$evict,
                   CArg<"bool", "false">:$isVolatile)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def TT_StoreOp : TT_Op<"store", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes active lanes";
  let arguments = (ins
    TT_PtrLike:$ptr, TT_ValueLike:$value, Optional<TT_BoolLike>:$mask,
    DefaultValuedAttr<DenseI32ArrayAttr, TT_NoBoundaryCheck>:$boundaryCheck,
    DefaultValuedAttr<TT_CacheModifierAttr, "CacheModifier::None">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "EvictionPolicy::Normal">:$evict,
    OptionalAttr<TT_CachePolicyAttr>:$cachePolicy);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr) `` custom<StoreTypes>(ref(type($ptr)), ref($mask), type($value), type($mask))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$ptr, "::mlir::Value":$value, CArg<"::mlir::Value", "{}">:$mask,
                   CArg<"CacheModifier", "CacheModifier::None">:$cache,
                   CArg<"EvictionPolicy", "EvictionPolicy::Normal">:$evict)>
  ];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

class TT_AtomicOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, !listconcat([MemoryEffects<[MemRead<TT_GlobalMemory>, MemWrite<TT_GlobalMemory>]>],
                                  traits)> {
  let hasVerifier = 1;
}

def TT_AtomicRMWOp : TT_AtomicOp<"atomic_rmw"> {
  let summary = "atomic read-modify-write of each active lane; gives the old values";
  let arguments = (ins TT_RmwKindAttr:$atomic_rmw_op, TT_PtrLike:$ptr, TT_ValueLike:$val,
                       Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem, TT_MemScopeAttr:$scope);
  let results = (outs TT_ValueLike:$result);
  let assemblyFormat = [{
    $atomic_rmw_op `,` $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:`
    functional-type(operands, $result)
  }];
}

def TT_AtomicCASOp : TT_AtomicOp<"atomic_cas"> {
  let summary = "atomic bitwise compare and swap of each lane; gives the old values";
  let arguments = (ins TT_PtrLike:$ptr, TT_ValueLike:$cmp, TT_ValueLike:$val, TT_MemSemanticAttr:$sem,
                       TT_MemScopeAttr:$scope);
  let results = (outs TT_ValueLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $cmp `,` $val attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicLoadOp : TT_AtomicOp<"atomic_load"> {
  let summary = "atomic read of each active lane";
  let arguments = (ins TT_PtrLike:$ptr, Optional<TT_BoolLike>:$mask, TT_MemSemanticAttr:$sem,
                       TT_MemScopeAttr:$scope);
  let results = (outs TT_ValueLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr (`,` $mask^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def TT_AtomicStoreOp : TT_AtomicOp<"atomic_store"> {
  let summary = "atomic write of each active lane";
  let arguments = (ins TT_PtrLike:$ptr, TT_ValueLike:$val, Optional<TT_BoolLike>:$mask,
                       TT_MemSemanticAttr:$sem, TT_MemScopeAttr:$scope);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $val (`,` $mask^)? attr-dict `:` type($ptr)
    `` custom<StoreTypes>(ref(type($ptr)), ref($mask), type($val), type($mask))
  }];
}

def TT_AtomicPollOp : TT_AtomicOp<"atomic_poll"> {
  let summary = "waits until each lane's memory equals the wanted value";
  let description = [{
    Reads each lane atomically, again and again, until it equals `expected` or the time budget (nanoseconds, one
    for the whole operation) is spent. Lanes that ran out give false. Every lane is read at least once.
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$expected, Optional<I64>:$timeout, TT_MemSemanticAttr:$sem,
                       TT_MemScopeAttr:$scope);
  let results = (outs TT_BoolLike:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $ptr `,` $expected (`timeout` $timeout^)? attr-dict `:`
    type($ptr) `,` type($expected) `->` type($result)
  }];
}
