//===- CodeMemory.h - memory that compiled kernels lie in -----------------------------------------------===//
//
// What: whole pages out of large pieces of memory, all readable and executable, so that thousands of kernels
// share a mapping (a process may have some 65,000); freed pages are used again. Why: a mapping a section, as
// JITLink's own manager makes them, ends a process that keeps 32,000 kernels. Limits: pages are writable only
// while write() fills them, and before anybody runs them; nothing here is ever written to by code.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_CODEMEMORY_H
#define TRISECT_BACKENDS_CPU_ORC_CODEMEMORY_H

#include <cstddef>

namespace trisect::cpu::codememory {

/// At least `bytes`, aligned to a page; null if the machine gives none.
char *take(size_t bytes);
/// Fills memory that take() gave; false if the machine does not let it become code.
bool write(char *code, const char *content, size_t bytes);
void give(char *code, size_t bytes);
/// A mapping of its own for what code writes to, where code at `code` reaches it: within 2 GiB. Null if there
/// is none.
char *takeData(const char *code, size_t bytes);

} // namespace trisect::cpu::codememory

#endif // TRISECT_BACKENDS_CPU_ORC_CODEMEMORY_H
