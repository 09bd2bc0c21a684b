//===- EmulatedDevice.h - a processor that this one emulates --------------------------------------------===//
//
// What: a device for the code of another processor: it links each kernel to a shared library, and a worker in
// an emulator (Worker.cpp) launches it. Its memory is a file that both processes map. Why: what is compiled
// for another processor is run, not only looked at. Limits: for tests; the worker starts anew after each
// launch that it did not survive. A descriptor must lie in the device's memory.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMULATED_EMULATEDDEVICE_H
#define TRISECT_BACKENDS_CPU_EMULATED_EMULATEDDEVICE_H

#include "backends/target/Device.h"
#include <memory>
#include <string>

namespace trisect::cpu {

struct EmulatorCommands {
  std::string worker; ///< words with blanks between them: the emulator, its options, and the worker's file
  std::string linker = "ld.lld"; ///< of objects of that processor, as GNU ld is called
  double limitSeconds = 20;      ///< of a launch
};

/// Throws InvalidInput if the worker does not start.
std::unique_ptr<Device> emulatedDevice(const EmulatorCommands &commands);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMULATED_EMULATEDDEVICE_H
