//===- WildAccess.h - whose access a signal was ---------------------------------------------------------===//
//
// What: after an instruction touched memory that is not there, finds the operation of the kernel that
// computed the address, the element of its block and the nearest tensor of the launch, and raises the fault.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_WILDACCESS_H
#define TRISECT_INTERP_EXEC_WILDACCESS_H

#include "core/support/MemoryGuard.h"
#include "interp/exec/Instance.h"

namespace trisect::interp {

/// Throws KernelFault, or EngineError if no operation of the kernel can have touched the address.
[[noreturn]] void raiseWildAccess(Instance &instance, const WildAccess &access);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_WILDACCESS_H
