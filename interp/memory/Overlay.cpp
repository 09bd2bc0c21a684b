//===- Overlay.cpp - pages of written bytes -------------------------------------------------------------===//
//
// A page holds data and one flag a byte once it is written; with a reader its data are whole, else a read of
// host memory merges. What was only read is the reader's page and costs no copy.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/memory/Overlay.h"
#include "core/support/MemoryGuard.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

Overlay::Own &Overlay::Page::write() {
  if (!own) {
    own = std::make_unique<Own>();
    if (real)
      std::memcpy(own->data, real, pageBytes);
  }
  return *own;
}

Overlay::Overlay(Reader reader, Mapped mapped) : reader(std::move(reader)), mapped(std::move(mapped)) {}
Overlay::~Overlay() = default;

Overlay::Page *Overlay::find(uint64_t number) {
  if (number == lastNumber)
    return last;
  auto found = pages.find(number);
  if (found == pages.end())
    return nullptr;
  lastNumber = number;
  return last = &found->second;
}

Overlay::Page &Overlay::page(uint64_t number) {
  if (Page *known = find(number))
    return *known;
  last = &pages[number];
  lastNumber = number;
  if (reader)
    last->real = reader(number * pageBytes);
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
    if (known && known->real) {
      std::memcpy(out, (known->own ? known->own->data : known->real) + offset, part);
    } else {
      std::memcpy(out, reinterpret_cast<const void *>(address), part);
      if (known)
        for (int64_t i = 0; i < part; ++i)
          if (known->own->written[offset + i])
            out[i] = known->own->data[offset + i];
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
    Own &target = page(number).write();
    std::memcpy(target.data + offset, in, part);
    std::memset(target.written + offset, 1, part);
    in += part;
    address += part;
    bytes -= part;
  }
}

std::vector<std::pair<uint64_t, const Overlay::Page *>> Overlay::sorted() const {
  std::vector<std::pair<uint64_t, const Page *>> all;
  for (const auto &[number, page] : pages)
    all.emplace_back(number, &page);
  std::sort(all.begin(), all.end());
  return all;
}

void Overlay::forEachWrite(const Visitor &visit) const {
  for (auto [number, page] : sorted())
    if (page->own)
      visit(number * pageBytes, page->own->data, page->own->written);
}

void Overlay::forEachPage(const std::function<void(const Touched &)> &visit) const {
  for (auto [number, page] : sorted())
    visit({number * pageBytes, page->real, page->own ? page->own->data : page->real,
           page->own ? page->own->written : nullptr});
}

int64_t Overlay::bytesWritten() const {
  int64_t total = 0;
  for (const auto &[number, page] : pages)
    if (page.own)
      total += std::count(page.own->written, page.own->written + pageBytes, 1);
  return total;
}

void Overlay::clear() {
  pages.clear();
  lastNumber = ~uint64_t(0);
  last = nullptr;
}

} // namespace trisect::interp
