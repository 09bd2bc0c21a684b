//===- Outcomes.cpp - names of outcomes -----------------------------------------------------------------===//
#include "python/bindings/facade/Outcomes.h"

namespace trisect::facade {

std::string kindName(const KernelFault &fault) { return std::string(faultKindName(fault.fault().kind)); }

} // namespace trisect::facade
