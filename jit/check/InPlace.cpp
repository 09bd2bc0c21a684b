//===- InPlace.cpp - snapshot and return ----------------------------------------------------------------===//
#include "jit/check/InPlace.h"
#include "interp/memory/Extent.h"
#include "jit/reference/PageReader.h"
#include <algorithm>

namespace trisect::jit {

namespace {
constexpr uint64_t pageBytes = interp::Overlay::pageBytes;
}

InPlace::InPlace(PageImages pages, const LaunchRequest &request, MemorySpace &memory)
    : images(std::move(pages)), changed(images.size()), launch(request), memory(memory) {}

void InPlace::collect() {
  memory.sync(launch.stream);
  std::vector<interp::Extent> extents(launch.tensors.begin(), launch.tensors.end());
  PageImage::Bytes now;
  for (size_t n = 0; n < images.size(); ++n) {
    PageImage &page = images[n];
    readPages(memory, page.address, now.data(), now.size());
    const uint8_t *before = page.before();
    changed[n] = nullptr;
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
    page.found = changed[n] ? changed[n]->data() : before;
  }
}

void InPlace::restore() {
  collect();
  putBack();
}

void InPlace::putBack() {
  for (const PageImage &page : images)
    for (size_t i = 0; i < pageBytes;) {
      size_t begin = i;
      while (i < pageBytes && page.found[i] != page.before()[i])
        ++i;
      if (i > begin)
        memory.write(page.address + begin, page.before() + begin, i - begin);
      else
        ++i;
    }
  memory.sync(launch.stream);
}

} // namespace trisect::jit
