//===- Print.h - tt.print in compiled code --------------------------------------------------------------===//
//
// What: writes one line for each element of the printed blocks, as GPUs do: program, index, text and value.
// Why: a line stands alone, so that programs of all threads may print. Limits: formats of f-strings are tier
// 0's; a launch prints at most 1 MiB, then says that the rest is left out.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_RUNTIME_PRINT_H
#define TRISECT_BACKENDS_CPU_RUNTIME_PRINT_H

#include <atomic>
#include <cstdint>

namespace trisect::cpu {

constexpr int64_t printBudget = int64_t(1) << 20;
/// What a launch that begins on this thread may print; negative: nothing (MutedPrints).
int64_t printAllowance();

/// `description`: the text, then for each operand a line `kind bits hex extents...`, where kind is s
/// (signed), u (unsigned) or f. `operands`: the address of each one's row-major elements.
void printOperands(std::atomic<int64_t> *left, const char *description, const int32_t *program,
                   const void *const *operands) noexcept;

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_RUNTIME_PRINT_H
