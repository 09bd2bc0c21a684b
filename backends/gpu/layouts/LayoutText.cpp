//===- LayoutText.cpp - layouts as text -----------------------------------------------------------------===//
#include "backends/gpu/layouts/Layout.h"
#include <bit>
#include <charconv>

namespace trisect::gpu {

namespace {
constexpr std::array<std::string_view, kBitsKinds> kNames = {"reg", "lane", "warp", "block", "offset"};
constexpr std::string_view kScalar = "scalar";
constexpr int64_t kMostElements = int64_t(1) << 32;

std::string list(const std::vector<int32_t> &values, char between) {
  std::string text;
  for (int32_t value : values) {
    if (!text.empty())
      text += between;
    text += std::to_string(value);
  }
  return text;
}

std::optional<std::vector<int32_t>> numbers(std::string_view text, char between) {
  std::vector<int32_t> values;
  const char *at = text.data();
  const char *end = at + text.size();
  while (true) {
    int32_t value = 0;
    auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0)
      return std::nullopt;
    values.push_back(value);
    if (next == end)
      return values;
    if (*next != between)
      return std::nullopt;
    at = next + 1;
  }
}

std::optional<Layout> parseShape(std::string_view word) {
  if (word == kScalar)
    return Layout::empty({});
  std::optional<std::vector<int32_t>> shape = numbers(word, 'x');
  if (!shape)
    return std::nullopt;
  int64_t elements = 1;
  for (int32_t size : *shape) {
    if (!std::has_single_bit(static_cast<uint32_t>(size)) || elements * size > kMostElements)
      return std::nullopt;
    elements *= size;
  }
  return Layout::empty(*shape);
}

bool parseBasis(Layout &layout, Bits kind, std::string_view word) {
  if (layout.inputBits() == 64)
    return false;
  if (layout.rank() == 0) {
    layout.append(kind, 0U);
    return word == "-";
  }
  std::optional<std::vector<int32_t>> at = numbers(word, ',');
  if (!at || at->size() != layout.rank())
    return false;
  for (size_t dim = 0; dim < at->size(); ++dim)
    if ((*at)[dim] >= layout.shape()[dim])
      return false;
  layout.append(kind, *at);
  return true;
}
} // namespace

std::string Layout::str() const {
  std::string text = rank() ? list(dims, 'x') : std::string(kScalar);
  for (Bits kind : kAllBits) {
    if (bits(kind) == 0)
      continue;
    text += ' ';
    text += kNames[static_cast<size_t>(kind)];
    for (unsigned bit = 0; bit < bits(kind); ++bit)
      text += ' ' + (rank() ? list(basis(kind, bit), ',') : std::string("-"));
  }
  return text;
}

std::optional<Layout> Layout::parse(std::string_view text) {
  std::optional<Layout> layout;
  std::optional<Bits> kind;
  for (size_t start = 0, end = 0; end != std::string_view::npos; start = end + 1) {
    end = text.find(' ', start);
    std::string_view word = text.substr(start, end - start);
    if (!layout) {
      layout = parseShape(word);
      if (!layout)
        return std::nullopt;
      continue;
    }
    std::optional<Bits> named;
    for (Bits candidate : kAllBits)
      if (word == kNames[static_cast<size_t>(candidate)])
        named = candidate;
    if (named) {
      if (layout->bits(*named) || (kind && *named <= *kind))
        return std::nullopt;
      kind = named;
    } else if (!kind || !parseBasis(*layout, *kind, word)) {
      return std::nullopt;
    }
  }
  return layout;
}

} // namespace trisect::gpu
