//===- TrustRecord.h - what comparisons showed of a form, for later processes ---------------------------===//
//
// What: whether code is trusted or withdrawn, the hull of the launches and the paths that were compared. Why:
// what was compared once need not be again; what was found wrong once must run nowhere. Limits: holds for the
// object that it names alone. Records of one object join: hulls and paths join, and one that withdraws
// outweighs all others.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_TRUSTRECORD_H
#define TRISECT_JIT_CACHE_TRUSTRECORD_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::jit {

/// The values of one feature of the launches that were compared (jit/tiers/Envelope.h).
struct HullRange {
  int16_t low = 0, high = 0;
  friend bool operator==(const HullRange &, const HullRange &) = default;
};

struct TrustRecord {
  std::string object; ///< digest of the code that was compared
  bool withdrawn = false;
  std::vector<HullRange> hull;
  std::vector<uint32_t> paths; ///< that were compared (Artifact::paths)
  std::string verdict;         ///< in words
  friend bool operator==(const TrustRecord &, const TrustRecord &) = default;

  /// Bytes to be appended to others.
  std::string packed() const;
};

/// The whole records among bytes; what is cut short, damaged or something else is passed over.
std::vector<TrustRecord> recordsIn(std::string_view bytes);

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_TRUSTRECORD_H
