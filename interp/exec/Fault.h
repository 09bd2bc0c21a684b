//===- Fault.h - a fault at an instruction --------------------------------------------------------------===//
//
// What: the exception for a defect that an instruction meets, with program, place and the calls above it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_FAULT_H
#define TRISECT_INTERP_EXEC_FAULT_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

/// Throws a KernelFault at the instruction; `headline` holds the facts.
[[noreturn]] void raise(const Instance &s, const Instr &i, FaultKind kind, const std::string &headline,
                        std::vector<std::pair<std::string, std::string>> details = {});

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_FAULT_H
