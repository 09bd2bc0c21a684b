//===- Dialect.td - the tt dialect ----------------------------------------------------------------------===//
//
// What: the dialect itself; types, attributes and operations stand in files of their own, by theme.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_DIALECT_TD
#define TRISECT_CORE_IR_DIALECT_TD

include "mlir/IR/OpBase.td"

def TT_Dialect : Dialect {
  let name = "tt";
  let summary = "block programs over pointers, as the Triton language writes them";
  let description = [{
    A program works on scalars and on tensors of static shape whose dimensions are powers of two. Memory is
    reached through pointers and tensors of pointers. Integers are signless; operations carry the sign.
  }];
  let cppNamespace = "::trisect::tt";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"
  ];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let usePropertiesForAttributes = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // TRISECT_CORE_IR_DIALECT_TD
