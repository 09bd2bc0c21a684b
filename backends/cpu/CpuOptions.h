//===- CpuOptions.h - what a launch may say to tier 1 ---------------------------------------------------===//
//
// What: the rows of CpuOptions.def and of backends/target/LaunchOptions.def as a struct.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_CPUOPTIONS_H
#define TRISECT_BACKENDS_CPU_CPUOPTIONS_H

#include "backends/target/TargetOptions.h"

namespace trisect::cpu {

struct CpuOptions final : TargetOptions {
#define TRISECT_LAUNCH_OPTION(name, type, initial, values, effect, help) optiontype::type name = {};
#include "backends/cpu/CpuOptions.def"

  static std::span<const OptionRow> rows();
  /// Throws InvalidInput as OptionReader does.
  static CpuOptions read(const OptionTexts &texts);
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_CPUOPTIONS_H
