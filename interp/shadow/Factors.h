//===- Factors.h - taints of the factors of a product ---------------------------------------------------===//
//
// What: an element of a product depends on a row of one factor and a column of the other. Zero times an
// undefined float may be NaN, so that nothing absorbs it; zero times an undefined integer, or small float
// without NaN, is zero.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_FACTORS_H
#define TRISECT_INTERP_SHADOW_FACTORS_H

#include "interp/shadow/Taints.h"
#include <functional>

namespace trisect::interp {

struct Extents {
  int64_t batches, rows, length, columns;
};

/// One factor: the taint of an element, and whether it is a zero that hides what it is multiplied with.
struct Factor {
  std::function<Taint(int64_t at)> taint;
  std::function<bool(int64_t at)> hides;
  bool tainted = false;
  bool canBeHidden = false; ///< a tainted element is a finite number, whatever it is
};

/// Adds to `lanes` what reaches each element of the product.
void multiply(const Extents &e, const Factor &a, const Factor &b, TaintLanes &lanes);

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_FACTORS_H
