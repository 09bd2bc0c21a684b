//===- CudaExecutable.h - a kernel loaded on a device ---------------------------------------------------===//
//
// What: turns a launch into a grid of blocks: arguments and the hidden parameter of docs/gpu.md, parts of a
// grid, and records of assertions and prints.
// Limits: a kernel that asserts or prints is waited for, so that its caller gets the fault and the lines;
// into a captured stream it goes without, and the next launch tells.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_LAUNCH_CUDAEXECUTABLE_H
#define TRISECT_BACKENDS_CUDA_LAUNCH_CUDAEXECUTABLE_H

#include "backends/cuda/driver/Code.h"
#include "backends/cuda/driver/Memory.h"
#include "backends/cuda/launch/KernelInfo.h"
#include "backends/target/Artifact.h"
#include "core/support/Executable.h"
#include <memory>
#include <mutex>

namespace trisect::cuda {

class CudaExecutable final : public Executable {
public:
  CudaExecutable(int device, std::shared_ptr<const Artifact> artifact);

  void launch(const LaunchRequest &request) override;
  bool wantsTensors() const override { return false; }
  /// An enqueued launch is over sooner than the lock is given up and taken.
  bool releasesGil() const override { return !info.sites.empty(); }
  NumericProfile numerics() const override { return artifact->numerics; }

  const driver::Code &code() const { return loaded; }

private:
  class Parameters;
  class PackedParameters;
  void enqueue(const LaunchRequest &request, uint64_t record);
  template <class Passed>
  void enqueueWith(Passed &&parameters, const LaunchRequest &request, uint64_t record);
  void launchRecorded(const LaunchRequest &request);
  void prepareRecord();
  void readRecord(driver::Stream stream);

  std::shared_ptr<const Artifact> artifact;
  KernelInfo info;
  bool plain; ///< no parameter is a descriptor
  driver::Code loaded;
  std::vector<uint16_t> offsets; ///< of the parameters, if they are passed in one piece
  std::mutex recordLock;
  std::unique_ptr<driver::Buffer> record;
  bool recordIsOpen = false; ///< launches into captured streams may have written into it
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_LAUNCH_CUDAEXECUTABLE_H
