//===- Compare.cpp - from differing bytes to elements ---------------------------------------------------===//
#include "jit/check/Compare.h"
#include "jit/check/Element.h"
#include <algorithm>

namespace trisect::jit {

Tensors::Tensors(std::span<const TensorView> views) : views(views), extents(views.begin(), views.end()) {}

std::string Tensors::Element::text(uint64_t bits) const {
  return elementText(bits, type, !view || view->isSigned);
}

Tensors::Element Tensors::at(uint64_t address) const {
  Element element;
  bool ambiguous = false;
  for (size_t n = 0; n < views.size(); ++n) {
    if (extents[n].empty() || !extents[n].contains(address, 1))
      continue;
    ambiguous |= element.view && element.type != views[n].type;
    if (!element.view)
      element = {&views[n], &extents[n], views[n].type, address};
  }
  if (!element.view)
    return {nullptr, nullptr, DType::I8, address};
  if (ambiguous)
    element.type = DType::I8;
  auto size = static_cast<int64_t>(byteSize(element.type));
  auto offset = static_cast<int64_t>(address - element.view->address) % size;
  element.address = address - static_cast<uint64_t>(offset < 0 ? offset + size : offset);
  return element;
}

namespace {
void note(const Tensors::Element &element, uint64_t want, uint64_t have, bool stray, Verdict &verdict) {
  ++verdict.differing;
  verdict.strays += stray;
  if (verdict.first)
    return;
  Difference first;
  if (element.view) {
    first.tensor = element.view->name;
    first.index = element.extent->indexOf(element.address);
  }
  first.address = element.address;
  first.stray = stray;
  first.expected = element.text(want);
  first.found = element.text(have);
  first.ulp = ulpDistance(want, have, element.type);
  verdict.first = first;
}

/// A page and the place of an element in it.
struct Place {
  const PageBytes &page;
  size_t begin;
  DType type;

  Place(const PageBytes &page, uint64_t address, DType type, size_t differing)
      : page(page), begin(address - page.address), type(type) {
    size_t size = byteSize(type);
    if (address < page.address || begin + size > page.expected.size())
      begin = differing, this->type = DType::I8;
  }
  size_t end() const { return begin + byteSize(type); }
  uint64_t want() const { return readBits(page.expected.data() + begin, type); }
  uint64_t have() const { return readBits(page.found.data() + begin, type); }
  /// Then they are equal, whatever their bits.
  bool bothNan() const { return isNan(want(), type) && isNan(have(), type); }
  bool written() const {
    auto from = page.written.begin() + static_cast<std::ptrdiff_t>(begin);
    return std::any_of(from, from + byteSize(type), [](uint8_t mark) { return mark; });
  }
};

/// How much of the way from tier 0's value to the end of its bound an element goes.
double shareOf(const Place &place, const interp::Span &span) {
  auto apart = [&](uint64_t a, uint64_t b) { return ulpDistance(a, b, place.type).value_or(0); };
  bool lower = apart(place.have(), span.low) < apart(place.want(), span.low);
  uint64_t room = apart(place.want(), lower ? span.low : span.high);
  return room ? static_cast<double>(apart(place.want(), place.have())) / static_cast<double>(room) : 0;
}

/// Whether an element that differs may do so; then it is counted.
bool isLegal(const Place &place, const Legality::Open &open, Verdict &verdict) {
  if (place.bothNan())
    return true;
  if (place.type != open.legal.type || open.legal.span.inDoubt(place.type)) {
    verdict.doubtful += byteSize(place.type);
    return true;
  }
  if (!open.legal.span.holds(place.have(), place.type))
    return false;
  ++verdict.within;
  uint64_t apart = ulpDistance(place.want(), place.have(), place.type).value_or(0);
  verdict.largestUlp = std::max(verdict.largestUlp.value_or(0), apart);
  verdict.worst = std::max(verdict.worst, shareOf(place, open.legal.span));
  return true;
}
} // namespace

void compare(const PageBytes &page, const Tensors &tensors, const Legality *legality, Verdict &verdict) {
  size_t bytes = page.expected.size();
  for (size_t i = 0; i < bytes;) {
    auto from = static_cast<std::ptrdiff_t>(i);
    i = static_cast<size_t>(
        std::mismatch(page.expected.begin() + from, page.expected.end(), page.found.begin() + from).first -
        page.expected.begin());
    if (i == bytes)
      return;
    if (legality && !legality->lost().empty()) {
      ++verdict.doubtful;
      ++i;
      continue;
    }
    if (auto open = legality ? legality->at(page.address + i) : std::nullopt) {
      Place place(page, open->address, open->legal.type, i);
      if (isLegal(place, *open, verdict)) {
        i = place.end();
        continue;
      }
    }
    Tensors::Element element = tensors.at(page.address + i);
    Place place(page, element.address, element.type, i);
    element.type = place.type;
    element.address = page.address + place.begin;
    if (!place.bothNan())
      note(element, place.want(), place.have(), !place.written(), verdict);
    i = place.end();
  }
}

} // namespace trisect::jit
