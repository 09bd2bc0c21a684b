//===- GpuDialect.td - the little of the GPU level that TTIR text may carry -----------------------------===//
//
// What: the `ttg` dialect: a barrier, and module attributes such as ttg.num-warps that supply launch options.
// Limits: layouts (#ttg.blocked ...) are refused by name; this is not the GPU level itself.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_GPUDIALECT_TD
#define TRISECT_CORE_IR_GPUDIALECT_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::trisect::ttg";
  let usePropertiesForAttributes = 1;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
  }];
}

def TTG_AddrSpaceAttr : I32BitEnumAttr<"AddrSpace", "memory that a barrier orders", [
  I32BitEnumAttrCaseNone<"None", "none">, I32BitEnumAttrCaseBit<"Local", 0, "local">,
  I32BitEnumAttrCaseBit<"GlobalRead", 1, "global_read">,
  I32BitEnumAttrCaseBit<"GlobalWrite", 2, "global_write">,
  I32BitEnumAttrCaseBit<"TensorRead", 3, "tensor_read">,
  I32BitEnumAttrCaseBit<"TensorWrite", 4, "tensor_write">,
  I32BitEnumAttrCaseGroup<"All", [
    I32BitEnumAttrCaseBit<"Local", 0>, I32BitEnumAttrCaseBit<"GlobalRead", 1>,
    I32BitEnumAttrCaseBit<"GlobalWrite", 2>, I32BitEnumAttrCaseBit<"TensorRead", 3>,
    I32BitEnumAttrCaseBit<"TensorWrite", 4>
  ], "all">
]> {
  let cppNamespace = "::trisect::ttg";
  let printBitEnumPrimaryGroups = 1;
}

def TTG_BarrierOp : Op<TTG_Dialect, "barrier"> {
  let summary = "all threads of a program wait for each other";
  let arguments = (ins TTG_AddrSpaceAttr:$addrSpace);
  let assemblyFormat = "custom<AddrSpace>($addrSpace) attr-dict";
}

#endif // TRISECT_CORE_IR_GPUDIALECT_TD
