//===- Device.h - the devices of this machine and their primary contexts --------------------------------===//
//
// What: how many devices there are, what they can do, and a guard that makes a device current on a thread.
// Why: PyTorch and every user of the CUDA run-time library share a device's primary context; so do we, and
// memory, streams and graphs are common to all.
// Limits: a primary context stays retained until the process ends.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_DEVICE_H
#define TRISECT_BACKENDS_CUDA_DRIVER_DEVICE_H

#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Types.h"
#include <string>

namespace trisect::cuda::driver {

/// What is asked of a device; read once, before a child is forked that may not ask.
struct DeviceFacts {
  std::string name;
  int capability = 0; ///< 90 for 9.0
  int maxSharedBytes = 0;
  int maxRegisters = 0; ///< of a block
  int maxThreads = 0;   ///< of a block
  int multiprocessors = 0;
  int clockKilohertz = 0, memoryKilohertz = 0, memoryBusBits = 0;
  int l2Bytes = 0;
  int warpSize = 32;
  int threadsPerMultiprocessor = 0;
  bool cooperative = false;
};

/// 0 without a driver.
int deviceCount();
/// Throws InvalidInput for a device that is not there.
const DeviceFacts &facts(int device);
/// The device whose context is current on this thread; 0 if none is, as the run-time library has it.
int currentDevice();

/// The primary context of a device, which it then has for good.
Context primaryContext(int device);

/// Makes a device, or a context, current on this thread, and what was current again.
class Current {
public:
  explicit Current(int device);
  Current(const Api &driver, Context wanted) : driver(driver) {
    check(driver.currentContext(&before), "cuCtxGetCurrent");
    if (before != wanted)
      change(wanted);
  }
  ~Current() {
    if (changed)
      driver.setCurrentContext(before);
  }
  /// Whether another one was, or none.
  bool wasOther() const { return changed; }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

private:
  void change(Context wanted);

  const Api &driver;
  Context before = nullptr;
  bool changed = false;
};

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_DEVICE_H
