//===- HostRange.h - a piece of the host's memory -------------------------------------------------------===//
//
// What: where a buffer lies, and whether it holds addresses of others. Limits: owns nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_HOSTRANGE_H
#define TRISECT_CORE_SUPPORT_HOSTRANGE_H

#include <cstddef>
#include <cstdint>

namespace trisect {

struct HostRange {
  uint8_t *data = nullptr;
  size_t bytes = 0;
  bool addresses = false; ///< holds 64-bit addresses of ranges
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_HOSTRANGE_H
