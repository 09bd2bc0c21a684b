//===- InPlace.cpp - snapshot and return ----------------------------------------------------------------===//
#include "jit/check/InPlace.h"
#include "interp/memory/Extent.h"
#include "jit/reference/Transfers.h"
#include <algorithm>
#include <cstring>

namespace trisect::jit {

namespace {
constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
}

InPlace::InPlace(PageImages pages, const LaunchRequest &request, MemorySpace &memory)
    : images(std::move(pages)), changed(images.size()), launch(request), memory(memory) {}

void InPlace::collect() {
  memory.sync(launch.stream);
  std::vector<interp::Extent> extents(launch.tensors.begin(), launch.tensors.end());
  std::vector<uint64_t> addresses;
  for (const PageImage &page : images)
    addresses.push_back(page.address);
  readEach(memory, addresses, [&](size_t n, const uint8_t *now) {
    PageImage &page = images[n];
    const uint8_t *before = page.before;
    changed[n] = nullptr;
    page.found = before;
    if (std::memcmp(now, before, pageBytes) == 0)
      return;
    auto note = [&](size_t i) {
      if (!changed[n]) {
        changed[n] = std::make_unique<PageImage::Bytes>();
        std::copy_n(before, pageBytes, changed[n]->data());
      }
      (*changed[n])[i] = now[i];
    };
    // What is neither tier 0's nor a tensor's may be anybody's.
    for (size_t i = 0; i < pageBytes; ++i)
      if (now[i] != before[i] &&
          (page.written[i] || std::any_of(extents.begin(), extents.end(), [&](const interp::Extent &extent) {
             return extent.contains(page.address + i, 1);
           })))
        note(i);
    if (changed[n])
      page.found = changed[n]->data();
  });
}

void InPlace::restore() {
  collect();
  putBack();
}

void InPlace::putBack() {
  // On a device, what tier 0 writes belongs to the programs, changed or not: one copy instead of many.
  bool wholeRuns = !memory.isHost();
  Writer writer(memory);
  for (const PageImage &page : images) {
    if (page.found == page.before && (page.clean || !wholeRuns))
      continue;
    for (size_t i = 0; i < pageBytes;) {
      size_t begin = i;
      while (i < pageBytes && (page.found[i] != page.before[i] || (wholeRuns && page.written[i])))
        ++i;
      if (i > begin)
        writer.write(page.address + begin, page.before + begin, i - begin);
      else
        ++i;
    }
  }
  writer.finish();
  memory.sync(launch.stream);
}

} // namespace trisect::jit
