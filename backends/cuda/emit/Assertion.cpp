//===- Assertion.cpp - a record as a fault --------------------------------------------------------------===//
#include "backends/cuda/emit/Assertion.h"

namespace trisect::cuda {

KernelFault assertFault(const RecordSite &site, const Record &record, const std::string &kernel) {
  Fault fault;
  fault.kind = FaultKind::Assert;
  fault.kernel = kernel;
  fault.position = site.position;
  std::string element;
  if (!site.operands.empty() && site.operands[0].isTensor) {
    // The row-major number as an index.
    uint64_t rest = record.element;
    for (size_t dim = site.operands[0].shape.size(); dim-- > 0;) {
      uint64_t size = site.operands[0].shape[dim];
      element = std::to_string(rest % size) + (element.empty() ? "" : ", " + element);
      rest /= size;
    }
    element = " at element (" + element + ")";
  }
  for (int axis = 0; axis < 3; ++axis)
    fault.programId[axis] = record.program[axis];
  fault.message = "assertion failed" + (site.text.empty() ? "" : ": " + site.text) + element + "\n  at " +
                  site.position.str() + ", in program (" + std::to_string(record.program[0]) + ", " +
                  std::to_string(record.program[1]) + ", " + std::to_string(record.program[2]) +
                  ") of kernel " + kernel + ", tier cuda";
  fault.details = {{"message", site.text}};
  return KernelFault(std::move(fault));
}

} // namespace trisect::cuda
