//===- Device.h - what loads compiled kernels -----------------------------------------------------------===//
//
// What: turns artifacts of a target into executables and gives the memory that their arguments lie in.
// Why: loading needs no compiler; what was compiled elsewhere, or long ago, is loaded by the same code.
// Limits: lives as long as the process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_DEVICE_H
#define TRISECT_BACKENDS_TARGET_DEVICE_H

#include "backends/target/Artifact.h"
#include "backends/target/Memory.h"
#include "core/support/Executable.h"
#include <memory>
#include <string_view>

namespace trisect {

class Device {
public:
  virtual ~Device() = default;
  /// For reports: `host`, `cuda:0`.
  virtual std::string_view name() const = 0;
  virtual MemorySpace &memory() = 0;
  /// Throws InvalidInput if the artifact is of another target, instruction set or ABI, EngineError if it
  /// cannot be linked.
  virtual std::unique_ptr<Executable> load(std::shared_ptr<const Artifact> artifact) = 0;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_DEVICE_H
