//===- Records.h - what kernels recorded, for people ----------------------------------------------------===//
//
// What: turns the records of a launch into printed lines and the fault of the first failed assertion.
// Why: device and emulator read the same buffer.
// Limits: lines are in the order of programs, places and elements, whatever order the machine took.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_LAUNCH_RECORDS_H
#define TRISECT_BACKENDS_CUDA_LAUNCH_RECORDS_H

#include "backends/cuda/emit/Record.h"
#include <span>
#include <string>
#include <vector>

namespace trisect::cuda {

/// One line for each printed element, and a note if records were lost.
std::string printedText(std::span<const Record> records, const std::vector<RecordSite> &sites,
                        uint32_t lostWords);
/// Throws the KernelFault of the lowest program whose assertion failed; nothing if none did.
void throwFailedAssertion(std::span<const Record> records, const std::vector<RecordSite> &sites,
                          const std::string &kernel);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_LAUNCH_RECORDS_H
