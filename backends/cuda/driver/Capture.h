//===- Capture.h - streams that are captured into graphs ------------------------------------------------===//
//
// What: whether a stream is captured, and a guard under which loading and allocating work all the same.
// Why: the first launch of a kernel may come while a graph is captured; what it prepares must not become part
// of the graph, nor end the capture.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_CAPTURE_H
#define TRISECT_BACKENDS_CUDA_DRIVER_CAPTURE_H

#include "backends/cuda/driver/Types.h"

namespace trisect::cuda::driver {

bool isCapturing(int device, Stream stream);

/// Lets this thread make calls that a captured stream otherwise forbids.
class OutsideCapture {
public:
  OutsideCapture();
  ~OutsideCapture();
  OutsideCapture(const OutsideCapture &) = delete;
  OutsideCapture &operator=(const OutsideCapture &) = delete;

private:
  CaptureMode mode = CaptureMode::Relaxed;
};

/// A stream of ours, which waits for no other and is never captured; one for each device.
Stream ownStream(int device);

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_CAPTURE_H
