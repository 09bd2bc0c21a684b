//===- Api.h - libcuda, opened when it is first needed --------------------------------------------------===//
//
// What: the driver's functions behind a table, and what became of a call.
// Why: without a GPU, Trisect imports and compiles; the library is looked for by the first launch.
// Limits: opened once in a process. TRITON_LIBCUDA_PATH names the library or its folder.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_API_H
#define TRISECT_BACKENDS_CUDA_DRIVER_API_H

#include "backends/cuda/driver/Types.h"
#include <string>

namespace trisect::cuda::driver {

struct Api {
#define TRISECT_CUDA(member, symbol, parameters) Status(*member) parameters = nullptr;
#include "backends/cuda/driver/Functions.def"
};

/// Null if this process can use no driver; `why`, if given, then says what was tried.
const Api *findApi(std::string *why = nullptr);
/// Throws Unsupported if there is no driver.
const Api &api();

/// `CUDA_ERROR_...: text` of a status.
std::string describe(Status status);
/// Throws KernelFault for what a kernel did earlier on this device, Unsupported if its memory is exhausted,
/// else EngineError that names the call.
[[noreturn]] void fail(Status status, const char *call);
/// Nothing on success; else fail().
inline void check(Status status, const char *call) {
  if (status != Success)
    fail(status, call);
}

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_API_H
