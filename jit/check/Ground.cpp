//===- Ground.cpp - pages of an overlay -----------------------------------------------------------------===//
#include "jit/check/Ground.h"
#include "jit/reference/Transfers.h"
#include <algorithm>

namespace trisect::jit {

PageImages imagesOf(const interp::Overlay &overlay, MemorySpace &memory) {
  PageImages pages;
  std::vector<uint64_t> addresses; // of pages that were written, and their places in the list
  std::vector<size_t> numbers;
  overlay.forEachPage([&](uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask) {
    PageImage &page = pages.emplace_back();
    page.address = address;
    page.expected = bytes.data();
    page.written = mask.data();
    if (std::none_of(mask.begin(), mask.end(), [](uint8_t written) { return written; }))
      return;
    addresses.push_back(address);
    numbers.push_back(pages.size() - 1);
  });
  readEach(memory, addresses, [&](size_t n, const uint8_t *bytes) {
    PageImage &page = pages[numbers[n]];
    page.original = std::make_unique<PageImage::Bytes>();
    for (size_t i = 0; i < page.original->size(); ++i)
      (*page.original)[i] = page.written[i] ? bytes[i] : page.expected[i];
  });
  return pages;
}

} // namespace trisect::jit
