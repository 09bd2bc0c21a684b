//===- CpuOptions.h - what a launch may say to tier 1 ---------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_CPUOPTIONS_H
#define TRISECT_BACKENDS_CPU_CPUOPTIONS_H

#include "backends/target/TargetOptions.h"

namespace trisect::cpu {

struct CpuOptions final : TargetOptions {
  static CpuOptions read(const OptionTexts &) { return {}; }
  std::string key() const override { return ""; }
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_CPUOPTIONS_H
