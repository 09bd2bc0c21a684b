//===- Tally.cpp - one comparison more ------------------------------------------------------------------===//
#include "jit/launch/Tally.h"
#include <algorithm>

namespace trisect::jit {

void Tally::add(const Verdict &verdict, int64_t nanoseconds) {
  ++verdicts[static_cast<size_t>(verdict.kind)];
  bytes += verdict.bytes;
  worst = std::max(worst, verdict.worst);
  slowest = std::max(slowest, nanoseconds);
}

} // namespace trisect::jit
