//===- Ground.cpp - pages of an overlay -----------------------------------------------------------------===//
#include "jit/check/Ground.h"

namespace trisect::jit {

PageImages imagesOf(const interp::Overlay &overlay) {
  static constexpr PageImage::Bytes nothing = {};
  PageImages pages;
  overlay.forEachPage([&](const interp::Overlay::Touched &touched) {
    PageImage &page = pages.emplace_back();
    page.address = touched.address;
    page.before = touched.before;
    page.expected = touched.now;
    page.clean = !touched.written;
    page.written = page.clean ? nothing.data() : touched.written;
  });
  return pages;
}

} // namespace trisect::jit
