//===- Element.h - one element of memory, for comparison and reports ------------------------------------===//
//
// What: prints an element, tells NaN, and measures how far two floats of one format are apart.
// Limits: knows formats only by their bits; nothing is rounded here.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_ELEMENT_H
#define TRISECT_JIT_CHECK_ELEMENT_H

#include "core/support/DType.h"
#include <cstdint>
#include <optional>
#include <string>

namespace trisect::jit {

/// The bits of an element in memory.
uint64_t readBits(const void *address, DType type);
bool isNan(uint64_t bits, DType type);
/// Representable numbers from `a` to `b`; nothing for integers, NaN, or if just one is infinite.
std::optional<uint64_t> ulpDistance(uint64_t a, uint64_t b, DType type);
/// The value as text; narrow floats as f64.
std::string elementText(uint64_t bits, DType type, bool isSigned = true);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_ELEMENT_H
