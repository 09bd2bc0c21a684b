//===- TileDialect.td - the dialect of blocks with layouts ----------------------------------------------===//
//
// What: the dialect, its layout attribute and its buffers. Operations stand in TileOps.td.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_IR_TILEDIALECT_TD
#define TRISECT_BACKENDS_GPU_IR_TILEDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let summary = "TTIR in which every tensor says which thread holds which element";
  let description = [{
    A tensor's layout is the encoding of its type: `tensor<64xf32, #tile.layout<"64 reg 1 lane 2 4 8 16 32">>`.
    Everything else is tt, arith, math and scf, with a few operations that move blocks between layouts and shared
    memory.
  }];
  let cppNamespace = "::trisect::gpu";
  let dependentDialects = ["::trisect::tt::TTDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let usePropertiesForAttributes = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

def Tile_IsTensorLayout : NativeAttrTrait<"IsTensorLayout"> {
  let cppNamespace = "::trisect::tt";
}

def Tile_LayoutAttr : AttrDef<Tile_Dialect, "Layout", [
    Tile_IsTensorLayout, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "layout";
  let summary = "which thread holds which element, as text of backends/gpu/layouts/Layout.h";
  let parameters = (ins AttrOrTypeParameter<"::trisect::gpu::Layout", "layout", "const ::trisect::gpu::Layout &">:$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_BufferType : TypeDef<Tile_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a block in shared memory; its layout maps offsets, in elements, to coordinates";
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<int64_t> getShape() const { return getBlockType().getShape(); }
    ::mlir::Type getElementType() const { return getBlockType().getElementType(); }
    const ::trisect::gpu::Layout &getLayout() const;
    int64_t getBytes() const;
  }];
}

#endif // TRISECT_BACKENDS_GPU_IR_TILEDIALECT_TD
