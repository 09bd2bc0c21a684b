//===- Vectors.h - the machine vectors of the ISA level that is compiled --------------------------------===//
//
// What: Batch<T>, xsimd's vector of the level's architecture, and its size in bytes. Why: one source makes
// the kernels of x86 and Arm. Limits: the scalar level has none (TRISECT_VECTORS is 0), nor has code outside
// of interp/kernels/isa.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_VECTORS_H
#define TRISECT_INTERP_KERNELS_VECTORS_H

#include "interp/numerics/IsaNamespace.h"
#include <cstdint>

#ifndef TRISECT_VECTORS
#define TRISECT_VECTORS 0
#endif
#if TRISECT_VECTORS
#include <xsimd/xsimd.hpp>
#endif

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

#if TRISECT_VECTORS
template <class T> using Batch = xsimd::batch<T, xsimd::default_arch>;
constexpr int vectorBytes = sizeof(Batch<int32_t>);
#else
constexpr int vectorBytes = 0;
#endif

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_VECTORS_H
