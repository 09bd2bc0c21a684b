//===- Themes.h - the themes that together fill a registry ----------------------------------------------===//
//
// What: one function a theme, each in the file of that name, compiled once per ISA level.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_ISA_THEMES_H
#define TRISECT_INTERP_KERNELS_ISA_THEMES_H

#include "interp/kernels/Registry.h"
#include "interp/numerics/IsaNamespace.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

void addIntegerArith(Registry &registry);
void addIntegerBits(Registry &registry);
void addFloatArith(Registry &registry);
void addCompare(Registry &registry);
void addSelect(Registry &registry);
void addIntegerCasts(Registry &registry);
void addFloatCasts(Registry &registry);
void addMixedCasts(Registry &registry);
void addMoves(Registry &registry);
void addMath32(Registry &registry);
void addMath64(Registry &registry);
void addReduce(Registry &registry);
void addScan(Registry &registry);
void addDotFloat(Registry &registry);
void addDotInteger(Registry &registry);
void addGather(Registry &registry);
void addIota(Registry &registry);

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_ISA_THEMES_H
