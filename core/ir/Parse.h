//===- Parse.h - TTIR text and bytecode to modules, and back --------------------------------------------===//
//
// What: reads the text (custom or generic form) or bytecode of any release from 3.0 to 3.9 and verifies it;
// prints the one canonical text. Limits: the context must have been through loadDialects() (Registry.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_IR_PARSE_H
#define TRISECT_CORE_IR_PARSE_H

#include "core/support/Outcome.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <string_view>

namespace trisect::tt {

struct ParseOptions {
  /// Read f8E4M3FNUZ as f8E4M3FN: right for text of 3.0 and 3.1 that is known to come from cuda.
  bool fnuzMeansFn = false;
};
/// Reads text or bytecode; `name` stands for the file in messages. Throws InvalidInput with file, line,
/// column, the source line and a caret.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(std::string_view text, std::string_view name,
                                              mlir::MLIRContext &context, ParseOptions options = {});
/// Reads a file; `-` is standard input.
mlir::OwningOpRef<mlir::ModuleOp> parseModuleFile(const std::string &path, mlir::MLIRContext &context,
                                                  ParseOptions options = {});
/// Throws InvalidInput if the module breaks a rule.
void verifyModule(mlir::ModuleOp module);

struct PrintOptions {
  bool locations = true;
  bool generic = false;
};
std::string printModule(mlir::ModuleOp module, PrintOptions options = {});
std::string printBytecode(mlir::ModuleOp module);

} // namespace trisect::tt

#endif // TRISECT_CORE_IR_PARSE_H
