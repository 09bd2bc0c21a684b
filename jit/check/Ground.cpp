//===- Ground.cpp - pages of an overlay -----------------------------------------------------------------===//
#include "jit/check/Ground.h"
#include "jit/reference/PageReader.h"
#include <algorithm>

namespace trisect::jit {

PageImages imagesOf(const interp::Overlay &overlay, MemorySpace &memory) {
  PageImages pages;
  overlay.forEachPage([&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
    PageImage &page = pages.emplace_back();
    page.address = address;
    page.expected = bytes.data();
    page.written = mask.data();
    if (std::none_of(mask.begin(), mask.end(), [](uint8_t written) { return written; }))
      return;
    page.original = std::make_unique<PageImage::Bytes>();
    readPages(memory, address, page.original->data(), page.original->size());
    for (size_t i = 0; i < bytes.size(); ++i)
      if (!mask[i])
        (*page.original)[i] = bytes[i];
  });
  return pages;
}

} // namespace trisect::jit
