//===- Format.h - one element as text -------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_FORMAT_H
#define TRISECT_INTERP_EXEC_FORMAT_H

#include "core/support/DType.h"
#include <cstdint>
#include <string>

namespace trisect::interp {

/// The number that bits of a float type stand for.
double toDouble(uint64_t bits, DType type);
/// The bits of a number rounded to nearest even in a float type, or truncated to an integer type.
uint64_t fromDouble(double number, DType type);
std::string formatElement(uint64_t bits, DType type, bool hex = false, bool isSigned = true);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_FORMAT_H
