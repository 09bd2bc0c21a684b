//===- SizeLimit.cpp - the oldest go --------------------------------------------------------------------===//
#include "jit/cache/SizeLimit.h"
#include "core/support/Options.h"
#include <algorithm>
#include <atomic>
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
} // namespace

void keepWithinLimit(const fs::path &cache) {
  constexpr int lookEvery = 64;
  static std::atomic<int> put{0};
  if (put.fetch_add(1, std::memory_order_relaxed) % lookEvery != 0)
    return;
  uintmax_t most = static_cast<uintmax_t>(optionInteger(OptionId::CacheMib).value_or(0)) << 20, sum = 0;
  std::vector<Kept> all = formsIn(cache);
  for (const Kept &each : all)
    sum += each.bytes;
  std::sort(all.begin(), all.end(), [](const Kept &a, const Kept &b) { return a.used < b.used; });
  std::error_code ignored;
  for (size_t n = 0; n < all.size() && sum > most; ++n) {
    fs::remove(all[n].path, ignored);
    sum -= all[n].bytes;
  }
}

} // namespace trisect::jit
