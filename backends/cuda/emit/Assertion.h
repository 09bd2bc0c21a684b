//===- Assertion.h - a record as a fault ----------------------------------------------------------------===//
//
// What: what a user is told of an assertion that failed in compiled code of tier 2.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_ASSERTION_H
#define TRISECT_BACKENDS_CUDA_EMIT_ASSERTION_H

#include "backends/cuda/emit/Record.h"

namespace trisect::cuda {

KernelFault assertFault(const RecordSite &site, const Record &record, const std::string &kernel);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_ASSERTION_H
