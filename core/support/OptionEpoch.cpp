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
#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace trisect {

struct OptionsSeen {
  char **array = nullptr;
  std::vector<char *> places; ///< of all entries, and the null behind them
  std::vector<size_t> counted;
  std::vector<std::string> entries; ///< those that count
  uint64_t overrides = 0;
  uint64_t epoch = 0;
  bool held = false;

  static OptionsSeen &ofThread() {
    static constinit PerThread<OptionsSeen> all;
    return all.get();
  }
  /// optionEpoch() of this thread, without asking for it.
  uint64_t look();
};

namespace {

bool counts(const char *entry) { return entry[0] == 'T' && entry[1] == 'R'; }

/// Whether an array has these entries. It may be shorter than it was: one that was given back (clearenv) may
/// have come again at the same place. As far as entries are the same the end, which is null, has not come; so
/// much of a line as lies behind may be read with it.
__attribute__((no_sanitize("address"))) bool areThere(char *const *array, std::span<char *const> places) {
  constexpr size_t step = 64 / sizeof(char *);
  size_t at = 0, count = places.size();
  auto same = [&](size_t end) {
    for (; at < end; ++at)
      if (array[at] != places[at])
        return false;
    return true;
  };
  size_t ahead = reinterpret_cast<uintptr_t>(array) / sizeof(char *) % step;
  if (!same(std::min(count, (step - ahead) % step)))
    return false;
  for (; at + step <= count; at += step) {
    uintptr_t differs = 0;
    for (size_t n = 0; n < step; ++n)
      differs |= reinterpret_cast<uintptr_t>(array[at + n]) ^ reinterpret_cast<uintptr_t>(places[at + n]);
    if (differs)
      return false;
  }
  return same(count);
}

bool liesAsSeen(const OptionsSeen &seen) {
  if (environ != seen.array || (seen.array && !areThere(seen.array, seen.places)))
    return false;
  for (size_t at = 0; at < seen.counted.size(); ++at)
    if (std::strcmp(seen.entries[at].c_str(), environ[seen.counted[at]]) != 0)
      return false;
  return true;
}

void noteWhere(OptionsSeen &seen) {
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

bool isAsSeen(const OptionsSeen &seen) {
  size_t count = 0;
  for (char **entry = environ; entry && *entry; ++entry)
    if (counts(*entry) && (count == seen.entries.size() || seen.entries[count++] != *entry))
      return false;
  return count == seen.entries.size();
}
} // namespace

uint64_t OptionsSeen::look() {
  if (held)
    return epoch;
  uint64_t made = overrideCount();
  if (epoch && overrides == made) {
    if (liesAsSeen(*this))
      return epoch;
    if (isAsSeen(*this)) {
      noteWhere(*this);
      return epoch;
    }
  }
  entries.clear();
  for (char **entry = environ; entry && *entry; ++entry)
    if (counts(*entry))
      entries.emplace_back(*entry);
  noteWhere(*this);
  overrides = made;
  return ++epoch;
}

uint64_t optionEpoch() { return OptionsSeen::ofThread().look(); }

OptionsHeld::OptionsHeld() : seen(OptionsSeen::ofThread()), outer(std::exchange(seen.held, false)) {
  seen.look();
  seen.held = true;
}

OptionsHeld::~OptionsHeld() { seen.held = outer; }

} // namespace trisect
