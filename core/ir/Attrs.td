//===- Attrs.td - enumerations and attributes of the tt dialect -----------------------------------------===//
//
// What: every enumeration, with the numbers of the generic form and the words of the custom form.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_ATTRS_TD
#define TRISECT_CORE_IR_ATTRS_TD

include "core/ir/Dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/EnumAttr.td"

class TT_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary # ", one of " # !interleave(!foreach(case, cases, case.str), ", "), cases> {
  let cppNamespace = "::trisect::tt";
}

def TT_ProgramAxisAttr : TT_Enum<"ProgramAxis", "grid axis", [
  I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">, I32EnumAttrCase<"Z", 2, "z">
]>;

def TT_CacheModifierAttr : TT_Enum<"CacheModifier", "cache modifier", [
  I32EnumAttrCase<"None", 1, "none">, I32EnumAttrCase<"Ca", 2, "ca">, I32EnumAttrCase<"Cg", 3, "cg">,
  I32EnumAttrCase<"Wb", 4, "wb">, I32EnumAttrCase<"Cs", 5, "cs">, I32EnumAttrCase<"Wt", 6, "wt">,
  I32EnumAttrCase<"Cv", 7, "cv">
]>;

def TT_EvictionPolicyAttr : TT_Enum<"EvictionPolicy", "eviction policy", [
  I32EnumAttrCase<"Normal", 1, "evict_normal">, I32EnumAttrCase<"First", 2, "evict_first">,
  I32EnumAttrCase<"Last", 3, "evict_last">
]>;

def TT_PaddingOptionAttr : TT_Enum<"PaddingOption", "padding outside the tensor", [
  I32EnumAttrCase<"Zero", 1, "zero">, I32EnumAttrCase<"Nan", 2, "nan">
]>;

def TT_RmwKindAttr : TT_Enum<"RmwKind", "read-modify-write operation", [
  I32EnumAttrCase<"And", 1, "and">, I32EnumAttrCase<"Or", 2, "or">, I32EnumAttrCase<"Xor", 3, "xor">,
  I32EnumAttrCase<"Add", 4, "add">, I32EnumAttrCase<"FAdd", 5, "fadd">, I32EnumAttrCase<"Max", 6, "max">,
  I32EnumAttrCase<"Min", 7, "min">, I32EnumAttrCase<"UMax", 8, "umax">, I32EnumAttrCase<"UMin", 9, "umin">,
  I32EnumAttrCase<"Exch", 10, "exch">
]>;

def TT_MemSemanticAttr : TT_Enum<"MemSemantic", "memory ordering", [
  I32EnumAttrCase<"Relaxed", 1, "relaxed">, I32EnumAttrCase<"Acquire", 2, "acquire">,
  I32EnumAttrCase<"Release", 3, "release">, I32EnumAttrCase<"AcqRel", 4, "acq_rel">
]>;

def TT_MemScopeAttr : TT_Enum<"MemScope", "who takes part in the ordering", [
  I32EnumAttrCase<"Gpu", 1, "gpu">, I32EnumAttrCase<"Cta", 2, "cta">, I32EnumAttrCase<"Sys", 3, "sys">
]>;

def TT_DescriptorReduceKindAttr : TT_Enum<"DescriptorReduceKind", "reduction into memory", [
  I32EnumAttrCase<"Add", 1, "add">, I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Inc", 4, "inc">, I32EnumAttrCase<"Dec", 5, "dec">, I32EnumAttrCase<"And", 6, "and">,
  I32EnumAttrCase<"Or", 7, "or">, I32EnumAttrCase<"Xor", 8, "xor">
]>;

def TT_PropagateNanAttr : TT_Enum<"PropagateNan", "what a NaN becomes", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"All", 65535, "all">
]>;

def TT_RoundingModeAttr : TT_Enum<"RoundingMode", "rounding of a narrowing conversion", [
  I32EnumAttrCase<"TowardZero", 0, "rtz">, I32EnumAttrCase<"NearestEven", 1, "rtne">
]>;

def TT_InputPrecisionAttr : TT_Enum<"InputPrecision", "least precision of f32 factors, order of bf16 ones", [
  I32EnumAttrCase<"Tf32", 0, "tf32">, I32EnumAttrCase<"Tf32x3", 1, "tf32x3">,
  I32EnumAttrCase<"Ieee", 2, "ieee">, I32EnumAttrCase<"Bf16x3", 3, "bf16x3">,
  I32EnumAttrCase<"Bf16x6", 4, "bf16x6">, I32EnumAttrCase<"Blocks", 5, "blocks">
]>;

def TT_ScaledFormatAttr : TT_Enum<"ScaledFormat", "element format of a scaled product", [
  I32EnumAttrCase<"E4M3", 0, "e4m3">, I32EnumAttrCase<"E5M2", 1, "e5m2">, I32EnumAttrCase<"E2M3", 2, "e2m3">,
  I32EnumAttrCase<"E3M2", 3, "e3m2">, I32EnumAttrCase<"E2M1", 4, "e2m1">, I32EnumAttrCase<"BF16", 5, "bf16">,
  I32EnumAttrCase<"FP16", 6, "fp16">
]>;

/// The cache policy of newer text; reading a module turns it into `cache` and `evict` (Upgrade.h).
def TT_CachePolicyAttr : AttrDef<TT_Dialect, "CachePolicy"> {
  let mnemonic = "cache_policy";
  let summary = "cache policy";
  let parameters = (ins EnumParameter<TT_CacheModifierAttr>:$cache_modifier,
                        EnumParameter<TT_EvictionPolicyAttr>:$eviction_policy);
  let assemblyFormat = "`<` struct(params) `>`";
}

/// A flag that older text writes as a boolean and newer text as a unit attribute; reading a module leaves the
/// unit attribute or nothing (Upgrade.h).
def TT_FlagAttr : Attr<CPred<"::llvm::isa<::mlir::UnitAttr, ::mlir::BoolAttr>($_self)">,
                       "flag, a unit attribute or a boolean"> {
  let storageType = "::mlir::Attribute";
  let returnType = "bool";
  let convertFromStorage = "::trisect::tt::isFlagSet($_self)";
  let constBuilderCall = "(($0) ? ::mlir::Attribute($_builder.getUnitAttr()) : ::mlir::Attribute())";
  let isOptional = 1;
}

/// i32 whose C++ value is signed.
def TT_I32Attr : SignlessIntegerAttrBase<I32, "32-bit signless integer attribute"> {
  let returnType = "int32_t";
  let convertFromStorage = "static_cast<int32_t>($_self.getValue().getSExtValue())";
}

#endif // TRISECT_CORE_IR_ATTRS_TD
