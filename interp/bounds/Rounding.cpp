//===- Rounding.cpp - from f64 back to ends -------------------------------------------------------------===//
#include "interp/bounds/Rounding.h"
#include "interp/exec/Format.h"
#include <cmath>

namespace trisect::interp {

double unitRoundoff(DType type) {
  switch (type) {
  case DType::F64:
    return 0x1p-53;
  case DType::F32:
    return 0x1p-24;
  case DType::F16:
    return 0x1p-11;
  case DType::BF16:
    return 0x1p-8;
  case DType::F8E5M2:
  case DType::F8E5M2FNUZ:
    return 0x1p-3;
  default:
    return 0x1p-4;
  }
}

double largestFinite(DType type) {
  double most = toDouble(bitsOfRank(highestRank(type), type), type);
  return std::isinf(most) ? toDouble(bitsOfRank(highestRank(type) - 1, type), type) : most;
}

Span spanAround(double low, double high, DType type) {
  if (std::isnan(low) || std::isnan(high))
    return Span::doubt(type);
  return Span{fromDouble(low, type), fromDouble(high, type)}.widened(type, 1);
}

Span loosened(const Span &span, double slack, DType type) {
  if (slack == 0 || isNan(span.low, type))
    return span;
  return spanAround(toDouble(span.low, type) - slack, toDouble(span.high, type) + slack, type);
}

} // namespace trisect::interp
