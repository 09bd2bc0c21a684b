//===- CpuExecutable.h - launches of compiled code on host threads --------------------------------------===//
//
// What: splits the programs of a launch over threads, each with scratch memory of its own, and turns what
// went wrong in one of them into an error. Limits: what the artifact's guards say must hold; whoever launches
// chose the form by them.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_LAUNCH_CPUEXECUTABLE_H
#define TRISECT_BACKENDS_CPU_LAUNCH_CPUEXECUTABLE_H

#include "backends/cpu/launch/AloneOrShared.h"
#include "backends/cpu/orc/Loader.h"
#include "backends/target/Artifact.h"
#include "core/support/Executable.h"
#include <atomic>
#include <memory>

namespace trisect::cpu {

class CpuExecutable final : public Executable {
public:
  CpuExecutable(std::shared_ptr<const Artifact> artifact, std::unique_ptr<LoadedObject> object)
      : artifact(std::move(artifact)), object(std::move(object)) {}

  void launch(const LaunchRequest &request) override;
  bool wantsTensors() const override { return false; }
  bool hasPlainAtomics() const override {
    return artifact->atomics == AtomicsUse::OftenPlain && artifact->waits.empty();
  }
  NumericProfile numerics() const override { return artifact->numerics; }

private:
  /// Whether the time of the next launch on one thread is asked, which takes so many nanoseconds by all that
  /// is known; less than nothing: unknown.
  bool isTimed(double expected);

  std::shared_ptr<const Artifact> artifact;
  std::unique_ptr<LoadedObject> object;
  std::atomic<double> nanosecondsPerProgram{-1}; ///< of one thread
  std::atomic<unsigned> untimed{0};              ///< launches since the last time that was asked
  AloneOrShared way;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_LAUNCH_CPUEXECUTABLE_H
