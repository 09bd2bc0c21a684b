//===- NumpyText.h - a block as NumPy shows an array ----------------------------------------------------===//
//
// What: text of a block in the layout of NumPy's str(): columns of one width, at most 8 digits after the
// point, powers of ten where magnitudes ask for them, lines of 75 characters, and `...` in blocks of more
// than 1,000 elements. Scalars as Python shows them. Why: people read kernels' blocks beside NumPy's. Limits:
// types that NumPy lacks (bf16, 8-bit floats) take the shortest decimal that gives their bits back.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_NUMPYTEXT_H
#define TRISECT_INTERP_OBSERVE_NUMPYTEXT_H

#include "core/support/DType.h"
#include <cstdint>
#include <string>
#include <vector>

namespace trisect::interp {

struct ElementStyle {
  DType type = DType::F32;
  bool isSigned = true;
  bool hex = false;   ///< bits of the full width; pointers always
  bool brief = false; ///< one line, of a block with more than a few elements its edges alone
};

/// `data` holds the elements in row-major order; no dimensions: a scalar.
std::string numpyText(const void *data, const std::vector<int64_t> &dims, const ElementStyle &style);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_NUMPYTEXT_H
