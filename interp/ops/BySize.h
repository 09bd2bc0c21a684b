//===- BySize.h - one generic lambda for each size of an element ----------------------------------------===//
//
// What: calls a function with a zero of the unsigned integer that has an element's bytes, for code that moves
// or compares bits and does not ask what they mean.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_BYSIZE_H
#define TRISECT_INTERP_OPS_BYSIZE_H

#include <cstdint>

namespace trisect::interp {

template <typename F> auto bySize(unsigned size, F f) {
  switch (size) {
  case 1:
    return f(uint8_t());
  case 2:
    return f(uint16_t());
  case 4:
    return f(uint32_t());
  default:
    return f(uint64_t());
  }
}

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_BYSIZE_H
