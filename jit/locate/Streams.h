//===- Streams.h - what two tiers wrote down ------------------------------------------------------------===//
//
// What: runs a watching kernel (Probes.h) in tier 0 and on a compiled tier, each alone on the same memory,
// and gives both streams, whether what else they wrote agrees, and the bounds of tier 0's.
// Limits: the window of one run; a run that faults gives what was written before.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LOCATE_STREAMS_H
#define TRISECT_JIT_LOCATE_STREAMS_H

#include "jit/check/Legality.h"
#include "jit/check/Verdict.h"
#include "jit/locate/Probes.h"
#include "jit/tiers/Tier.h"
#include <optional>
#include <span>

namespace trisect::jit {

/// One value of one time that it was computed.
struct Record {
  unsigned value = 0;
  uint64_t offset = 0; ///< of its elements in the stream
};

struct Streams {
  std::vector<uint8_t> expected, found;
  uint64_t address = 0;             ///< of the stream, in the bounds
  std::optional<Legality> legality; ///< where the streams differ
  std::optional<Difference> memory; ///< the first difference elsewhere
  bool faulted = false;

  static std::vector<Record> records(const std::vector<uint8_t> &stream, const Probes &probes);
  /// Whether more was written than the window holds.
  static bool overflows(const std::vector<uint8_t> &stream, int64_t from);
};

/// The launch must name the programs. The window begins at `from`. Throws as compiling and running do.
Streams streamsOf(const std::shared_ptr<const Kernel> &watching, const Tier &tier, Form form,
                  const LaunchRequest &launch, int64_t from);

} // namespace trisect::jit

#endif // TRISECT_JIT_LOCATE_STREAMS_H
