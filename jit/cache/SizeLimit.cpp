//===- SizeLimit.cpp - the oldest go --------------------------------------------------------------------===//
#include "jit/cache/SizeLimit.h"
#include "core/support/ForkGate.h"
#include "core/support/Lasting.h"
#include "core/support/Options.h"
#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace trisect::jit {

namespace fs = std::filesystem;

namespace {
struct Kept {
  fs::file_time_type used;
  uintmax_t bytes;
  fs::path path;
};

std::vector<Kept> formsIn(const fs::path &cache) {
  std::vector<Kept> all;
  std::error_code ignored;
  // Other processes add and remove meanwhile.
  for (fs::directory_iterator kernel(cache, ignored), end; kernel != end; kernel.increment(ignored))
    for (fs::directory_iterator file(kernel->path(), ignored), last; file != last; file.increment(ignored))
      if (file->path().extension() == formSuffix) {
        std::error_code gone;
        Kept form{file->last_write_time(gone), file->file_size(gone), file->path()};
        if (!gone)
          all.push_back(std::move(form));
      }
  return all;
}
uintmax_t mostBytes() { return static_cast<uintmax_t>(optionInteger(OptionId::CacheMib).value_or(0)) << 20; }

/// What a cache held at the last look, and what this process has put since.
struct Look {
  uintmax_t bytes = 0;
  int puts = 0;
};

/// Removes what is too much; gives the bytes that are left.
uintmax_t removeOldest(const fs::path &cache, uintmax_t most) {
  std::vector<Kept> all = formsIn(cache);
  uintmax_t sum = 0;
  for (const Kept &each : all)
    sum += each.bytes;
  std::sort(all.begin(), all.end(), [](const Kept &a, const Kept &b) { return a.used < b.used; });
  std::error_code ignored;
  for (size_t n = 0; n < all.size() && sum > most; ++n) {
    fs::remove(all[n].path, ignored);
    sum -= all[n].bytes;
  }
  return sum;
}
} // namespace

bool keepsForms() { return mostBytes() > 0; }

void keepWithinLimit(const fs::path &cache, uintmax_t bytes) {
  constexpr int lookEvery = 64;
  static ForkMutex lock;
  static Lasting<std::map<std::string, Look>> looks;
  uintmax_t most = mostBytes();
  std::lock_guard guard(lock);
  Look &last = (*looks)[cache.string()];
  last.bytes += bytes;
  if (last.puts++ % lookEvery == 0 || last.bytes > most)
    last.bytes = removeOldest(cache, most);
}

} // namespace trisect::jit
