//===- Overlay.cpp - pages of written bytes -------------------------------------------------------------===//
//
// A page holds data and one flag a byte. With host memory a page is filled only where it was written, and a
// read merges; with a reader the whole page is fetched once.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/Overlay.h"
#include "core/support/MemoryGuard.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace trisect::interp {

struct Overlay::Page {
  bool complete = false; ///< data holds real memory wherever nothing was written
  uint8_t data[pageBytes];
  uint8_t written[pageBytes] = {};
};

Overlay::Overlay(Reader reader, Mapped mapped) : reader(std::move(reader)), mapped(std::move(mapped)) {}
Overlay::~Overlay() = default;

Overlay::Page *Overlay::find(uint64_t number) {
  if (number == lastNumber)
    return last;
  auto found = pages.find(number);
  if (found == pages.end())
    return nullptr;
  lastNumber = number;
  return last = found->second.get();
}

Overlay::Page &Overlay::page(uint64_t number) {
  if (Page *known = find(number))
    return *known;
  auto fresh = std::make_unique<Page>();
  if (reader) {
    reader(number * pageBytes, fresh->data, pageBytes);
    fresh->complete = true;
  }
  lastNumber = number;
  last = fresh.get();
  pages.emplace(number, std::move(fresh));
  return *last;
}

bool Overlay::maps(uint64_t address, int64_t bytes) {
  return mapped ? mapped(address, bytes) : MemoryPolicy::maps(address, bytes);
}

void Overlay::require(uint64_t address, int64_t bytes, bool writes) const {
  if (mapped && !mapped(address, bytes))
    throw WildAccess{address, writes};
}

void Overlay::read(const AccessSite &, uint64_t address, void *into, int64_t bytes) {
  require(address, bytes, false);
  auto *out = static_cast<uint8_t *>(into);
  while (bytes > 0) {
    uint64_t number = address / pageBytes, offset = address % pageBytes;
    int64_t part = std::min<int64_t>(bytes, pageBytes - offset);
    Page *known = reader ? &page(number) : find(number);
    if (known && known->complete) {
      std::memcpy(out, known->data + offset, part);
    } else {
      std::memcpy(out, reinterpret_cast<const void *>(address), part);
      if (known)
        for (int64_t i = 0; i < part; ++i)
          if (known->written[offset + i])
            out[i] = known->data[offset + i];
    }
    out += part;
    address += part;
    bytes -= part;
  }
}

void Overlay::write(const AccessSite &, uint64_t address, const void *from, int64_t bytes) {
  require(address, bytes, true);
  auto *in = static_cast<const uint8_t *>(from);
  while (bytes > 0) {
    uint64_t number = address / pageBytes, offset = address % pageBytes;
    int64_t part = std::min<int64_t>(bytes, pageBytes - offset);
    Page &target = page(number);
    std::memcpy(target.data + offset, in, part);
    std::memset(target.written + offset, 1, part);
    in += part;
    address += part;
    bytes -= part;
  }
}

void Overlay::visitPages(const Visitor &visit, bool unwritten) const {
  std::vector<std::pair<uint64_t, const Page *>> sorted;
  for (auto &[number, content] : pages)
    if (unwritten || std::memchr(content->written, 1, pageBytes))
      sorted.emplace_back(number, content.get());
  std::sort(sorted.begin(), sorted.end());
  for (auto [number, content] : sorted)
    visit(number * pageBytes, {content->data, size_t(pageBytes)}, {content->written, size_t(pageBytes)});
}

void Overlay::forEachWrite(const Visitor &visit) const { visitPages(visit, false); }
void Overlay::forEachPage(const Visitor &visit) const { visitPages(visit, true); }

int64_t Overlay::bytesWritten() const {
  int64_t total = 0;
  for (auto &[number, content] : pages)
    total += std::count(content->written, content->written + pageBytes, 1);
  return total;
}

void Overlay::clear() {
  pages.clear();
  lastNumber = ~uint64_t(0);
  last = nullptr;
}

} // namespace trisect::interp
