//===- OldPages.cpp - mapping at fixed addresses --------------------------------------------------------===//
#include "jit/replay/OldPages.h"
#include "interp/memory/Extent.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace trisect::jit {

namespace {
constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
using Range = std::pair<uint64_t, uint64_t>;

std::vector<Range> rangesOf(const Evidence &evidence) {
  std::vector<Range> ranges, merged;
  for (const TensorView &view : evidence.tensors)
    if (interp::Extent extent(view); !extent.empty())
      ranges.emplace_back(extent.low() / pageBytes * pageBytes,
                          (extent.high() + pageBytes - 1) / pageBytes * pageBytes);
  for (const EvidencePage &page : evidence.pages)
    ranges.emplace_back(page.address, page.address + pageBytes);
  std::sort(ranges.begin(), ranges.end());
  for (const Range &range : ranges)
    if (!merged.empty() && range.first <= merged.back().second)
      merged.back().second = std::max(merged.back().second, range.second);
    else
      merged.push_back(range);
  return merged;
}
} // namespace

OldPages::OldPages(const Evidence &evidence) {
  for (auto [from, to] : rangesOf(evidence)) {
    auto *wanted = reinterpret_cast<void *>(from);
    void *got = mmap(wanted, to - from, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (got != wanted) {
      if (got != MAP_FAILED)
        munmap(got, to - from);
      release();
      throw AddressesTaken("the addresses of the bundle's memory are in use in this process");
    }
    mapped.emplace_back(from, to);
  }
  for (const EvidencePage &page : evidence.pages)
    std::memcpy(reinterpret_cast<void *>(page.address), page.before.data(), pageBytes);
}

void OldPages::release() {
  for (auto [from, to] : mapped)
    munmap(reinterpret_cast<void *>(from), to - from);
  mapped.clear();
}

OldPages::~OldPages() { release(); }

} // namespace trisect::jit
