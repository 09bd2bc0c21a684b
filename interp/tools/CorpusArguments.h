//===- CorpusArguments.h - memory and arguments for a kernel of which nothing is known ------------------===//
//
// What: by a plan, a buffer of numbers for every pointer and descriptor, a number for every other parameter,
// and a grid. Why: a corpus of modules holds kernels without their calls. Limits: sums of the floats are
// exact, so that their order does not show.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSARGUMENTS_H
#define TRISECT_INTERP_TOOLS_CORPUSARGUMENTS_H

#include "core/support/HostRange.h"
#include "core/support/Launch.h"
#include "interp/program/Program.h"
#include "interp/tools/CorpusPlan.h"
#include "interp/tools/CorpusRoles.h"
#include "interp/tools/GuardedBuffers.h"

namespace trisect::tools {

/// What all modules of a run share, so that memory is not asked for anew each time.
struct CorpusMemory {
  GuardedBuffers buffers;
  std::vector<uint8_t> initial, shadow, direct; ///< copies of all buffers
};

class CorpusArguments {
public:
  /// Takes buffers from `memory`, from the first on, and fills them.
  CorpusArguments(const interp::Program &program, const CorpusRoles &roles, CorpusMemory &memory,
                  const CorpusPlan &plan);

  /// Gives all buffers what they held at the start.
  void refill();
  void save(std::vector<uint8_t> &into) const;
  bool holds(const std::vector<uint8_t> &expected) const;
  /// Valid while this lives.
  LaunchRequest request() const;
  /// All buffers, those included that only addresses in others lead to.
  std::vector<HostRange> ranges() const;

private:
  int64_t integerFor(size_t parameter) const;
  uint8_t *newBuffer(DType type);
  uint8_t *newTable();
  void choose();
  DescriptorArg usualDescriptor(int rank) const;
  /// Whether the parameters after a descriptor are its shape and strides once more.
  bool followed(size_t descriptor) const;
  void addDescriptor(size_t parameter, uint8_t *data);

  const interp::Program &program;
  const CorpusRoles &roles;
  CorpusMemory &memory;
  CorpusPlan plan;
  int64_t size;
  Grid grid;
  size_t bytes;                 ///< of each buffer
  std::vector<int64_t> numbers; ///< of integer parameters
  std::vector<uint8_t *> buffers;
  std::vector<uint8_t *> tables; ///< those of the buffers that hold addresses
  std::vector<DescriptorArg> descriptors;
  std::vector<ArgBits> args;
  std::vector<TensorView> views;
};

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSARGUMENTS_H
