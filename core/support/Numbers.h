//===- Numbers.h - numbers that a user writes -----------------------------------------------------------===//
//
// What: the number that all of a text is, if it lies where it may. Why: `x`, `3abc`, `-1` and `nan` must be
// refused with the words that are allowed. The errors, InvalidInput, begin with `what`.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_NUMBERS_H
#define TRISECT_CORE_SUPPORT_NUMBERS_H

#include <cstdint>
#include <string_view>

namespace trisect {

int64_t wholeNumber(std::string_view text, const char *what, int64_t least, int64_t most);
/// No NaN, no infinity.
double realNumber(std::string_view text, const char *what, double least, double most);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_NUMBERS_H
