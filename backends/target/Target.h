//===- Target.h - what every code generator offers ------------------------------------------------------===//
//
// What: a target compiles one kernel of a TTIR module for one machine and hands back something launchable.
// Why: jit/ chooses among targets, checks and caches them without knowing how any of them works.
// Limits: a target never changes the module that it is given. Memory behind the arguments belongs to the
// caller; a target of another memory space copies through read() and write() of its own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_TARGET_H
#define TRISECT_BACKENDS_TARGET_TARGET_H

#include "core/support/Launch.h"
#include "mlir/IR/BuiltinOps.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trisect {

/// What a compiled kernel says of its arithmetic; see docs/numerics.md.
enum class NumericProfile : uint8_t { Ieee, Cuda, Cpu };

/// A kernel that is ready to run. Launches may come from many threads at once.
class CompiledKernel {
public:
  virtual ~CompiledKernel() = default;
  /// Runs the whole grid and returns when it is done (host targets) or enqueued (device targets).
  virtual void launch(const LaunchRequest &request) = 0;
  /// Whether launch() looks at LaunchRequest::tensors; collecting them takes time.
  virtual bool wantsTensors() const { return true; }
};

struct CompileOptions {
  /// Threads for a launch; 0: as many as the machine has.
  unsigned threads = 0;
};

class Target {
public:
  virtual ~Target() = default;
  /// As in TRISECT_TIER: `cpu`, `cuda`.
  virtual std::string_view name() const = 0;
  /// Everything of the machine that the produced code depends on; part of cache keys.
  virtual std::string isa() const = 0;
  virtual NumericProfile numerics() const = 0;
  /// Compiles `kernel` of `module`; throws Unsupported with op and position, or EngineError.
  virtual std::unique_ptr<CompiledKernel> compile(mlir::ModuleOp module, std::string_view kernel,
                                                  const CompileOptions &options) = 0;
};

/// Targets by name, made on first use.
class TargetRegistry {
public:
  using Factory = std::unique_ptr<Target> (*)();
  static void add(std::string_view name, Factory factory);
  /// The target, or null if none of that name was added or it does not run on this machine.
  static Target *find(std::string_view name);
  static std::vector<std::string> names();
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_TARGET_H
