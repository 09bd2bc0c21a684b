//===- Fault.cpp - a fault at an instruction ------------------------------------------------------------===//
#include "interp/exec/Fault.h"

namespace trisect::interp {

void raise(const Instance &s, const Instr &i, FaultKind kind, const std::string &headline,
           std::vector<std::pair<std::string, std::string>> details) {
  Fault fault;
  fault.kind = kind;
  fault.kernel = s.program.kernel;
  fault.position = s.program.position(i);
  fault.programId = {s.id[0], s.id[1], s.id[2]};
  fault.message = std::string(faultKindName(kind)) + ": " + headline + "\n  in kernel " + s.program.kernel +
                  ", program (" + std::to_string(s.id[0]) + ", " + std::to_string(s.id[1]) + ", " +
                  std::to_string(s.id[2]) + ")";
  if (fault.position.known())
    fault.message += ", " + fault.position.str();
  for (uint32_t at = s.program.locations[i.location].caller; at; at = s.program.locations[at].caller)
    if (s.program.locations[at].position.known())
      fault.message += "\n  called from " + s.program.locations[at].position.str();
  fault.details = std::move(details);
  throw KernelFault(std::move(fault));
}

} // namespace trisect::interp
