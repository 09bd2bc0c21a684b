//===- AsmTypes.h - the types that PTX instructions name ------------------------------------------------===//
#ifndef TRISECT_CORE_PTX_ASMTYPES_H
#define TRISECT_CORE_PTX_ASMTYPES_H

#include "core/ptx/AsmText.h"
#include "core/support/DType.h"
#include <optional>
#include <string>

namespace trisect::ptx {

/// Bytes of a type name such as `u16`, `f16x2` or `e4m3x2`; 0: unknown.
unsigned widthOf(const std::string &type);
/// The element type of a float or packed float type name.
std::optional<DType> floatType(const std::string &name);
/// Whether the instruction has this word behind its opcode.
bool has(const AsmInstr &instr, const char *suffix);

} // namespace trisect::ptx

#endif // TRISECT_CORE_PTX_ASMTYPES_H
