//===- Decode.h - from TTIR to a flat program -----------------------------------------------------------===//
//
// What: decodes one kernel of a module, with every function that it calls expanded in place.
// Limits: throws Unsupported for an operation or type that tier 0 cannot run (by name, with its position) and
// InvalidInput when the module has no such kernel. The module is only read.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_DECODE_H
#define TRISECT_INTERP_PROGRAM_DECODE_H

#include "interp/program/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include <string_view>

namespace trisect::interp {

/// An empty name means the module's only public function.
std::shared_ptr<const Program> decode(mlir::ModuleOp module, std::string_view kernel);

/// As `decode`, with the statements that the front end marked and nothing left out: every value stays where a
/// variable can find it.
std::shared_ptr<const Program> decodeForDebugger(mlir::ModuleOp module, std::string_view kernel);

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_DECODE_H
