//===- AsmScalar.h - types and bits of PTX instructions -------------------------------------------------===//
//
// What: what the files of AsmMachine share: cutting and extending bits, one element
// through the kernel table.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_ASMSCALAR_H
#define TRISECT_INTERP_PROGRAM_ASMSCALAR_H

#include "core/ptx/AsmTypes.h"
#include "core/support/DType.h"
#include "core/support/OpTable.h"
#include <initializer_list>
#include <optional>

namespace trisect::interp::ptx {

using trisect::ptx::FloatBits;
using trisect::ptx::floatType;
using trisect::ptx::flushes;
using trisect::ptx::has;
using trisect::ptx::keepsNan;
using trisect::ptx::wholeOfNan;
using trisect::ptx::widthOf;
/// One element through the kernel table; nothing if the op has no such kernel.
std::optional<uint64_t> apply(OpId op, DType from, DType to, std::initializer_list<uint64_t> operands,
                              uint64_t attribute = 0);
uint64_t cut(uint64_t bits, unsigned bytes);
bool isNan(uint64_t bits, DType type);
/// What an NVIDIA GPU makes of each NaN (core/ptx/AsmTypes.h); other numbers as they are.
uint64_t oneNan(uint64_t bits, DType type);
/// A subnormal number as a zero of its sign, where `flush` holds.
uint64_t flushed(uint64_t bits, DType type, bool flush);
int64_t sign(uint64_t bits, unsigned bytes);

} // namespace trisect::interp::ptx

#endif // TRISECT_INTERP_PROGRAM_ASMSCALAR_H
