//===- Tolerance.cpp - comparing two elements -----------------------------------------------------------===//
#include "interp/tools/Tolerance.h"
#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include <cmath>

namespace trisect::tools {

namespace {

/// Floats of a type in ascending order as consecutive integers.
int64_t rank(uint64_t bits, DType type) {
  unsigned width = 8 * byteSize(type);
  uint64_t top = uint64_t(1) << (width - 1);
  return bits & top ? -static_cast<int64_t>(bits & ~top) : static_cast<int64_t>(bits);
}

/// Distance from 1 to the next float.
double epsilon(DType type) {
  switch (type) {
  case DType::F64:
    return 0x1p-52;
  case DType::F32:
    return 0x1p-23;
  case DType::F16:
    return 0x1p-10;
  case DType::BF16:
    return 0x1p-7;
  case DType::F8E4M3FN:
  case DType::F8E4M3FNUZ:
    return 0x1p-3;
  default:
    return 0x1p-2;
  }
}

} // namespace

Tolerance Tolerance::parse(std::string_view text) {
  text = trim(text);
  Tolerance made;
  size_t space = text.find(' ');
  std::string_view word = text.substr(0, space);
  bool alone = space == std::string_view::npos;
  if (word == "exact" && alone)
    return made;
  if (word == "reassoc" || (word == "ulp" && !alone)) {
    made.kind = word == "ulp" ? Kind::Ulp : Kind::Reassoc;
    made.amount = alone ? 64 : realNumber(text.substr(space), "a tolerance's N", 0, 1e18);
    return made;
  }
  throw InvalidInput("unknown tolerance '" + std::string(text) + "' (exact, ulp N, reassoc, reassoc N)");
}

bool Tolerance::allows(uint64_t got, uint64_t want, DType type) const {
  if (got == want)
    return true;
  if (!isFloat(type))
    return false;
  double x = interp::toDouble(got, type), y = interp::toDouble(want, type);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  switch (kind) {
  case Kind::Exact:
    return false;
  case Kind::Ulp:
    return std::abs(rank(got, type) - rank(want, type)) <= static_cast<int64_t>(amount);
  case Kind::Reassoc:
    return std::fabs(x - y) <= amount * epsilon(type) * std::max(1.0, std::fabs(y));
  }
  return false;
}

} // namespace trisect::tools
