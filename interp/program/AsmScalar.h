//===- AsmScalar.h - types and bits of PTX instructions -------------------------------------------------===//
//
// What: what the files of AsmMachine share: widths of type names, cutting and extending bits, one element
// through the kernel table.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_ASMSCALAR_H
#define TRISECT_INTERP_PROGRAM_ASMSCALAR_H

#include "core/support/DType.h"
#include "core/support/OpTable.h"
#include "interp/program/AsmText.h"
#include <initializer_list>
#include <optional>

namespace trisect::interp::ptx {

/// Bytes of a type name such as `u16` or `f16x2`; 0: unknown.
unsigned widthOf(const std::string &type);
/// The element type of a float or packed float type name.
std::optional<DType> floatType(const std::string &name);
bool has(const AsmInstr &instr, const char *suffix);
/// One element through the kernel table; nothing if the op has no such kernel.
std::optional<uint64_t> apply(OpId op, DType from, DType to, std::initializer_list<uint64_t> operands,
                              uint64_t attribute = 0);
uint64_t cut(uint64_t bits, unsigned bytes);
int64_t sign(uint64_t bits, unsigned bytes);

} // namespace trisect::interp::ptx

#endif // TRISECT_INTERP_PROGRAM_ASMSCALAR_H
