//===- NumericProfile.h - how code computes with floats -------------------------------------------------===//
//
// What: names what a tier promises of its arithmetic; docs/numerics.md says what each means.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_NUMERICPROFILE_H
#define TRISECT_CORE_SUPPORT_NUMERICPROFILE_H

#include <cstdint>

namespace trisect {

enum class NumericProfile : uint8_t { Ieee, Cuda, Cpu };

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_NUMERICPROFILE_H
