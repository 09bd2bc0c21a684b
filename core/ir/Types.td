//===- Types.td - pointers and tensor descriptors -------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_TYPES_TD
#define TRISECT_CORE_IR_TYPES_TD

include "core/ir/Dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class TT_TypeDef<string name, string typeMnemonic> : TypeDef<TT_Dialect, name> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TT_PtrType : TT_TypeDef<"Ptr", "ptr"> {
  let summary = "pointer";
  let description = [{
    `!tt.ptr<f32>` points to global memory, `!tt.ptr<f32, 3>` to another address space,
    `!tt.ptr<f32, "constant">` to global memory that nobody writes. A pointer to a tensor is a block pointer.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "unsigned":$addressSpace);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType), [{
      return $_get(pointeeType.getContext(), pointeeType, kGlobalAddressSpace);
    }]>,
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, "unsigned":$addressSpace), [{
      return $_get(pointeeType.getContext(), pointeeType, addressSpace);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    static constexpr unsigned kGlobalAddressSpace = 1;
    /// Prints as the word `"constant"`.
    static constexpr unsigned kConstantAddressSpace = 4;
    /// True for a block pointer.
    bool pointsToTensor() const { return ::mlir::isa<::mlir::RankedTensorType>(getPointeeType()); }
  }];
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "tensor descriptor";
  let description = [{
    Where a tensor lies in memory, with the shape and element type of the block that an access moves. Integer
    elements may carry a sign (`si8`, `ui16`). Reads `!tt.tensordesc<tensor<16x8xf32>>` and
    `!tt.tensordesc<16x8xf32>`.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
      return $_get(blockType.getContext(), blockType);
    }]>
  ];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const { return getBlockType().getShape(); }
    /// The block type with signless elements: what a load gives and a store takes.
    ::mlir::RankedTensorType getSignlessBlockType() const;
  }];
}

#endif // TRISECT_CORE_IR_TYPES_TD
