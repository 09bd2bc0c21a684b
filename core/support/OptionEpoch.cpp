//===- OptionEpoch.cpp - has an option changed? ---------------------------------------------------------===//
//
// What: compares the variables of the environment that begin with `TR`, and the count of overrides, with what
// this thread saw before. Why: every launch asks several options; one walk is a tenth of looking up each.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Options.h"
#include "core/support/PerThread.h"
#include <string>
#include <unistd.h>
#include <vector>

namespace trisect {

namespace {
struct Seen {
  std::vector<std::string> entries;
  uint64_t overrides = 0;
  uint64_t epoch = 0;
};

bool counts(const char *entry) { return entry[0] == 'T' && entry[1] == 'R'; }

bool isAsSeen(const Seen &seen) {
  size_t count = 0;
  for (char **entry = environ; entry && *entry; ++entry)
    if (counts(*entry) && (count == seen.entries.size() || seen.entries[count++] != *entry))
      return false;
  return count == seen.entries.size();
}
} // namespace

uint64_t optionEpoch() {
  static constinit PerThread<Seen> all;
  Seen &seen = all.get();
  uint64_t overrides = overrideCount();
  if (seen.epoch && seen.overrides == overrides && isAsSeen(seen))
    return seen.epoch;
  seen.entries.clear();
  for (char **entry = environ; entry && *entry; ++entry)
    if (counts(*entry))
      seen.entries.emplace_back(*entry);
  seen.overrides = overrides;
  return ++seen.epoch;
}

} // namespace trisect
