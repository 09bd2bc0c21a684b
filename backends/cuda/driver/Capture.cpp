//===- Capture.cpp - beside captured streams ------------------------------------------------------------===//
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Device.h"
#include "core/support/ForkGate.h"
#include <map>
#include <mutex>

namespace trisect::cuda::driver {

bool isCapturing(int device, Stream stream) {
  Current current(device);
  int status = 0;
  check(api().isCapturing(stream, &status), "cuStreamIsCapturing");
  return status != 0;
}

OutsideCapture::OutsideCapture() {
  check(api().exchangeCaptureMode(&mode), "cuThreadExchangeStreamCaptureMode");
}
OutsideCapture::~OutsideCapture() { api().exchangeCaptureMode(&mode); }

Stream ownStream(int device) {
  constexpr unsigned waitsForNone = 1;
  static ForkMutex lock;
  static auto *all = new std::map<int, Stream>;
  std::lock_guard guard(lock);
  Stream &stream = (*all)[device];
  if (!stream) {
    Current current(device);
    check(api().createStream(&stream, waitsForNone), "cuStreamCreate");
  }
  return stream;
}

} // namespace trisect::cuda::driver
