//===- Target.h - what every code generator offers ------------------------------------------------------===//
//
// What: a target compiles one kernel of a TTIR module to an artifact; the registry finds targets by name and
// by the device that is to run them.
// Why: jit/ chooses among targets, checks and caches them without knowing how any of them works.
// Limits: a target never changes the module that it is given. Knows no MLIR but the name of a module.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_TARGET_H
#define TRISECT_BACKENDS_TARGET_TARGET_H

#include "backends/target/Artifact.h"
#include "backends/target/Device.h"
#include "backends/target/TargetOptions.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace trisect {

class Target {
public:
  virtual ~Target() = default;
  /// As in TRISECT_TIER: `cpu`, `cuda`.
  virtual std::string_view name() const = 0;
  virtual NumericProfile numerics() const = 0;
  /// The options besides those that every target understands.
  virtual std::span<const OptionRow> optionRows() const { return {}; }
  /// Reads the options of a launch; throws InvalidInput, naming the option and what it may be.
  virtual std::unique_ptr<const TargetOptions> readOptions(const OptionTexts &texts) const;
  /// Everything of a machine that code made with these options depends on; part of cache keys.
  virtual std::string isa(const TargetOptions &options) const = 0;
  /// Compiles `kernel` of `module`. The guards of the result are a part of what `form` allows. Throws
  /// Unsupported with op and position, InvalidInput, or EngineError.
  virtual Artifact compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &options,
                           Form form) = 0;
  /// What stands between TTIR and code, for people to read, where artifacts of this target do not hold it.
  virtual std::vector<Stage> stages(const mlir::ModuleOp &module, std::string_view kernel,
                                    const TargetOptions &options);
  /// The device that runs this target's code on the memory of `where`; null if there is none, as always of a
  /// target that compiles ahead of time only.
  virtual Device *device(DeviceId where) = 0;

protected:
  /// What every artifact of this target says of itself, before there is code.
  Artifact artifactOf(std::string_view kernel, const TargetOptions &options) const;
};

/// Targets by name, made on first use.
class TargetRegistry {
public:
  using Factory = std::unique_ptr<Target> (*)();
  /// The first of a name stays.
  static void add(std::string_view name, Factory factory);
  /// The target, or null if none of that name was added or its factory gave none.
  static Target *find(std::string_view name);
  static std::vector<std::string> names();
  /// The targets that have a device for memory there, in the order in which they were added.
  static std::vector<Target *> runningOn(DeviceId where);
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_TARGET_H
