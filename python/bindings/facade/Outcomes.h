//===- Outcomes.h - facts of an outcome that need more than its header ----------------------------------===//
//
// What: what core/support/Outcome.cpp knows, exported.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_OUTCOMES_H
#define TRISECT_PYTHON_BINDINGS_FACADE_OUTCOMES_H

#include "core/support/Outcome.h"
#include "python/bindings/facade/Api.h"

namespace trisect::facade {

TRISECT_API std::string kindName(const KernelFault &fault);

} // namespace trisect::facade

#endif // TRISECT_PYTHON_BINDINGS_FACADE_OUTCOMES_H
