//===- Envelope.h - the launches that comparisons speak for ---------------------------------------------===//
//
// What: the hull of the launches that were compared: orders of magnitude and trailing zeros of integers,
// signs and classes of floats, alignments of pointers, shapes and strides of descriptors, eighths of orders
// of magnitude of the grid. Why: code that is right for small sizes may be wrong for large, ragged or
// misaligned ones; a launch outside of the hull has to be compared before it is trusted. Limits: between two
// sizes of one order of magnitude and the same trailing zeros it sees no difference.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_TIERS_ENVELOPE_H
#define TRISECT_JIT_TIERS_ENVELOPE_H

#include "core/support/Launch.h"
#include "jit/cache/TrustRecord.h"
#include "jit/kernel/Kernel.h"
#include <span>
#include <vector>

namespace trisect::jit {

class Envelope {
public:
  explicit Envelope(std::span<const KernelParameter> parameters) : parameters(parameters) {}

  bool contains(const LaunchRequest &request) const;
  void widen(const LaunchRequest &request);
  /// By the hull of an earlier process.
  void widen(const std::vector<HullRange> &earlier);
  const std::vector<HullRange> &ranges() const { return hull; }

private:
  template <typename Visit> void forEachFeature(const LaunchRequest &request, Visit visit) const;

  std::span<const KernelParameter> parameters;
  std::vector<HullRange>
      hull; ///< of each feature, in the order of forEachFeature(); empty: nothing was compared
};

} // namespace trisect::jit

#endif // TRISECT_JIT_TIERS_ENVELOPE_H
