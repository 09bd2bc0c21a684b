//===- AsmTypes.h - the types that PTX instructions name ------------------------------------------------===//
//
// What: their widths, the bits of the floats among them, and what GPUs make of NaN and subnormal numbers.
//
//===----------------------------------------------------------------------------------------------------===//
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
/// The bits of a float type: its sign, its infinity, and the one NaN that arithmetic on an NVIDIA GPU makes
/// of every NaN; 0 for f64, whose NaNs stay as they are.
struct FloatBits {
  uint64_t sign, infinity, nan;
  explicit FloatBits(DType type);
};
/// Whether a cvt between floats leaves NaN as it is: from f64, and where it only moves bits.
bool keepsNan(const AsmInstr &cvt);
/// What a conversion to an integer of so many bytes makes of NaN.
uint64_t wholeOfNan(DType from, unsigned bytes);
/// Whether an instruction with `.ftz` takes and makes no subnormal numbers of the type: there is none for
/// f64.
bool flushes(const AsmInstr &instr, DType type);
/// Whether the instruction has this word behind its opcode.
bool has(const AsmInstr &instr, const char *suffix);

} // namespace trisect::ptx

#endif // TRISECT_CORE_PTX_ASMTYPES_H
