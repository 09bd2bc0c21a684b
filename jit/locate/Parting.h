//===- Parting.h - the first place where two streams part -----------------------------------------------===//
//
// What: compares two streams record by record, each element against its bounds, and describes the first that
// does not agree. Limits: as Streams.h.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LOCATE_PARTING_H
#define TRISECT_JIT_LOCATE_PARTING_H

#include "jit/check/Location.h"
#include "jit/locate/Streams.h"

namespace trisect::jit {

struct Parting {
  Location::Kind kind = Location::Kind::Value;
  unsigned value = 0;  ///< of the record, or of what is to be blamed for another order
  size_t record = 0;   ///< its place in the stream
  int64_t element = 0; ///< the first that differs
};

/// Nothing if the streams agree. What was written down last before a fault may be unfinished: of that only
/// what is not empty counts.
std::optional<Parting> firstParting(const Streams &streams, const Probes &probes);
/// Whether the addresses of an access reached `address`; `base` is the argument that they are relative to.
bool reaches(const MemoryOp &access, uint64_t address, uint64_t base, const Streams &streams,
             const Probes &probes);
Location describeParting(const Parting &parting, const Streams &streams, const Probes &probes);

} // namespace trisect::jit

#endif // TRISECT_JIT_LOCATE_PARTING_H
