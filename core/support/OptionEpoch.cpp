//===- OptionEpoch.cpp - has an option changed? ---------------------------------------------------------===//
//
// What: compares the variables of the environment that begin with `TR`, and the count of overrides, with what
// this thread saw before. Why: every launch asks several options; one walk is a tenth of looking up each.
// Where each entry lies where it lay, only those that count are read. Limits: the C library must not give an
// entry's memory to another one, which glibc never does.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Options.h"
#include "core/support/PerThread.h"
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

namespace trisect {

namespace {
struct Seen {
  char **array = nullptr;
  std::vector<char *> places; ///< of all entries, and the null behind them
  std::vector<size_t> counted;
  std::vector<std::string> entries; ///< those that count
  uint64_t overrides = 0;
  uint64_t epoch = 0;
};

bool counts(const char *entry) { return entry[0] == 'T' && entry[1] == 'R'; }

bool liesAsSeen(const Seen &seen) {
  if (environ != seen.array)
    return false;
  // Entry by entry: an array that was given back (clearenv) may have come again shorter, at the same place.
  char *const *place = seen.places.data(), *const *end = place + seen.places.size();
#pragma GCC unroll 8
  for (char **entry = seen.array; entry && place != end; ++place, ++entry)
    if (*entry != *place) // the end is null, which no other place is
      return false;
  for (size_t at = 0; at < seen.counted.size(); ++at)
    if (std::strcmp(seen.entries[at].c_str(), environ[seen.counted[at]]) != 0)
      return false;
  return true;
}

void noteWhere(Seen &seen) {
  seen.array = environ;
  seen.places.clear();
  seen.counted.clear();
  for (char **entry = environ; entry && *entry; ++entry) {
    if (counts(*entry))
      seen.counted.push_back(seen.places.size());
    seen.places.push_back(*entry);
  }
  seen.places.push_back(nullptr);
}

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
  if (seen.epoch && seen.overrides == overrides) {
    if (liesAsSeen(seen))
      return seen.epoch;
    if (isAsSeen(seen)) {
      noteWhere(seen);
      return seen.epoch;
    }
  }
  seen.entries.clear();
  for (char **entry = environ; entry && *entry; ++entry)
    if (counts(*entry))
      seen.entries.emplace_back(*entry);
  noteWhere(seen);
  seen.overrides = overrides;
  return ++seen.epoch;
}

} // namespace trisect
