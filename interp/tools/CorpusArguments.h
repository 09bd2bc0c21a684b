//===- CorpusArguments.h - memory and arguments for a kernel of which nothing is known ------------------===//
//
// What: a buffer with small numbers for every pointer and descriptor, sizes that the kernel's blocks suggest
// for integers, a grid of two programs on each axis that the kernel asks for. Why: a corpus of modules holds
// kernels without their calls. Limits: the numbers are such that sums of them are exact, so that their order
// does not show.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSARGUMENTS_H
#define TRISECT_INTERP_TOOLS_CORPUSARGUMENTS_H

#include "core/support/Launch.h"
#include "interp/program/Program.h"
#include "interp/tools/GuardedBuffers.h"

namespace trisect::tools {

class CorpusArguments {
public:
  /// Takes buffers from `memory`, from the first on, and fills them.
  CorpusArguments(const interp::Program &program, GuardedBuffers &memory);

  /// Gives all buffers what they held at the start.
  void refill();
  std::vector<uint8_t> contents() const;
  bool holds(const std::vector<uint8_t> &expected) const;
  /// Valid while this lives.
  LaunchRequest request() const;

private:
  struct Buffer {
    uint8_t *data;
    DType type;
    uint64_t target = 0; ///< of a buffer of pointers
  };

  int64_t integerFor(const interp::Parameter &parameter) const;
  void addDescriptor(uint64_t address, int rank);

  int64_t size; ///< that the kernel's blocks suggest
  Grid grid;
  std::vector<Buffer> buffers;
  std::vector<DescriptorArg> descriptors;
  std::vector<ArgBits> args;
  std::vector<TensorView> views;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSARGUMENTS_H
