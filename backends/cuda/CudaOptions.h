//===- CudaOptions.h - the options of a launch on a GPU -------------------------------------------------===//
//
// What: the rows of CudaOptions.def and of backends/target/LaunchOptions.def as a struct.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_CUDAOPTIONS_H
#define TRISECT_BACKENDS_CUDA_CUDAOPTIONS_H

#include "backends/target/TargetOptions.h"

namespace trisect::cuda {

struct CudaOptions final : TargetOptions {
#define TRISECT_LAUNCH_OPTION(name, type, initial, values, effect, help) optiontype::type name = {};
#include "backends/cuda/CudaOptions.def"

  /// As in 9.0: 90.
  int capability = 90;

  static std::span<const OptionRow> rows();
  /// Throws InvalidInput as OptionReader does.
  static CudaOptions read(const OptionTexts &texts);
  /// What ptxas calls the architecture; from 9.0 on with what only that one has.
  std::string architecture() const;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_CUDAOPTIONS_H
