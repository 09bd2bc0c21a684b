//===- Envelope.cpp - a launch as small numbers ---------------------------------------------------------===//
#include "jit/tiers/Envelope.h"
#include "jit/check/Element.h"
#include <algorithm>
#include <bit>

namespace trisect::jit {

namespace {
/// Zeros beyond these change no code: no vector is longer, no page larger.
constexpr int mostZeros = 12;

int16_t zerosOf(uint64_t bits) { return static_cast<int16_t>(std::min(mostZeros, std::countr_zero(bits))); }

/// Sign times the number of bits of the magnitude.
int16_t magnitudeOf(int64_t value) {
  auto width = static_cast<int16_t>(std::bit_width(value < 0 ? 0 - uint64_t(value) : uint64_t(value)));
  return static_cast<int16_t>(value < 0 ? -width : width);
}

/// Eight steps for each order of magnitude; the numbers below 16 are each their own.
int16_t stepOf(int32_t extent) {
  auto value = static_cast<uint32_t>(std::max(extent, 1));
  int width = std::bit_width(value), past = std::max(width - 4, 0);
  return static_cast<int16_t>(past * 8 + static_cast<int>(value >> past));
}

int64_t signedValue(uint64_t bits, DType type) {
  unsigned unused = 64 - 8 * static_cast<unsigned>(byteSize(type));
  return type == DType::I1 ? int64_t(bits & 1) : static_cast<int64_t>(bits << unused) >> unused;
}

/// NaN, then numbers by sign and whether they are less than two, with zero between them.
int16_t classOf(uint64_t bits, DType type) {
  if (isNan(bits, type))
    return -3;
  unsigned width = 8 * static_cast<unsigned>(byteSize(type));
  uint64_t sign = uint64_t(1) << (width - 1), magnitude = bits & (sign - 1);
  if (!magnitude)
    return 0;
  // The highest bit of the exponent.
  auto size = static_cast<int16_t>(magnitude >> (width - 2) ? 2 : 1);
  return bits & sign ? static_cast<int16_t>(-size) : size;
}
} // namespace

template <typename Visit> void Envelope::forEachFeature(const LaunchRequest &request, Visit visit) const {
  auto integer = [&](int64_t value) {
    visit(magnitudeOf(value));
    visit(zerosOf(static_cast<uint64_t>(value)));
  };
  for (int32_t extent : {request.grid.x, request.grid.y, request.grid.z})
    visit(stepOf(extent));
  for (size_t n = 0; n < parameters.size(); ++n) {
    ArgBits bits = request.args[n];
    if (parameters[n].descriptor) {
      const auto *descriptor = reinterpret_cast<const DescriptorArg *>(bits);
      visit(zerosOf(descriptor->address));
      for (int32_t d = 0; d < descriptor->rank; ++d) {
        integer(descriptor->shape[d]);
        integer(descriptor->strides[d]);
      }
    } else if (parameters[n].type == DType::Ptr) {
      visit(zerosOf(bits));
    } else if (isFloat(parameters[n].type)) {
      visit(classOf(bits, parameters[n].type));
    } else {
      integer(signedValue(bits, parameters[n].type));
    }
  }
}

bool Envelope::contains(const LaunchRequest &request) const {
  size_t n = 0;
  bool inside = true;
  forEachFeature(request, [&](int16_t value) {
    inside = inside && n < hull.size() && value >= hull[n].low && value <= hull[n].high;
    ++n;
  });
  return inside;
}

void Envelope::widen(const LaunchRequest &request) {
  size_t n = 0;
  forEachFeature(request, [&](int16_t value) {
    if (n == hull.size())
      hull.push_back({value, value});
    hull[n].low = std::min(hull[n].low, value);
    hull[n].high = std::max(hull[n].high, value);
    ++n;
  });
}

void Envelope::widen(const std::vector<HullRange> &earlier) {
  if (hull.empty())
    hull = earlier;
  if (hull.size() != earlier.size())
    return;
  for (size_t n = 0; n < hull.size(); ++n) {
    hull[n].low = std::min(hull[n].low, earlier[n].low);
    hull[n].high = std::max(hull[n].high, earlier[n].high);
  }
}

} // namespace trisect::jit
