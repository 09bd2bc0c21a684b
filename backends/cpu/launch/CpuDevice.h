//===- CpuDevice.h - this machine's processors as a device ----------------------------------------------===//
//
// What: links objects of the target `cpu` into this process and runs them on all cores.
// Why: knows LLVM's linker, but neither MLIR nor the compiler.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_CPUDEVICE_H
#define TRISECT_BACKENDS_CPU_LAUNCH_CPUDEVICE_H

#include "backends/target/Device.h"

namespace trisect::cpu {

/// The version of EntryPoint and AssertHook, raised when either changes.
inline constexpr uint32_t entryAbi = 5;

/// The one of this process.
Device &cpuDevice();

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_CPUDEVICE_H
