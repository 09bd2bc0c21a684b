//===- OpBase.td - what all operations of the tt dialect share ------------------------------------------===//
//
// What: the op base class, operand constraints and the resource that memory effects name.
// Why constraints are C++ predicates: one function each in TypeUtils.h serves ODS, verifiers and other rooms.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_OPBASE_TD
#define TRISECT_CORE_IR_OPBASE_TD

include "core/ir/Attrs.td"
include "core/ir/Types.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TT_TileOpTrait : NativeOpTrait<"TileOp"> {
  let cppNamespace = "::trisect::tt";
}

class TT_Op<string opMnemonic, list<Trait> traits = []>
    : Op<TT_Dialect, opMnemonic, !listconcat([TT_TileOpTrait], traits)>;

def TT_GlobalMemory : Resource<"::trisect::tt::GlobalMemory">;

class TT_TypeIf<string predicate, string summary>
    : Type<CPred<"::trisect::tt::" # predicate # "($_self)">, summary>;

def TT_Int : TT_TypeIf<"isIntElement", "integer of 1, 4, 8, 16, 32 or 64 bits">;
def TT_Float : TT_TypeIf<"isFloatElement", "float">;
def TT_Scalar : TT_TypeIf<"isElement", "integer, float or pointer">;
def TT_AnyTensor : TT_TypeIf<"isTile", "tensor of integers, floats or pointers">;
def TT_IntTensor : TT_TypeIf<"isIntTile", "tensor of integers">;
def TT_FloatTensor : TT_TypeIf<"isFloatTile", "tensor of floats">;
def TT_IntLike : TT_TypeIf<"isIntLike", "integer or tensor of integers">;
def TT_FloatLike : TT_TypeIf<"isFloatLike", "float or tensor of floats">;
def TT_F32Like : TT_TypeIf<"isF32Like", "f32 or tensor of f32">;
def TT_BoolLike : TT_TypeIf<"isBoolLike", "i1 or tensor of i1">;
def TT_I64Like : TT_TypeIf<"isI64Like", "i64 or tensor of i64">;
def TT_PtrLike : TT_TypeIf<"isPtrLike", "pointer or tensor of pointers">;
def TT_BlockPtr : TT_TypeIf<"isBlockPointer", "pointer to a tensor">;
def TT_ValueLike : TT_TypeIf<"isValueLike", "integer, float, pointer or tensor of them">;

#endif // TRISECT_CORE_IR_OPBASE_TD
