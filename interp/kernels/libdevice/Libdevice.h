//===- Libdevice.h - libdevice functions by name --------------------------------------------------------===//
//
// What: adds the `__nv_*` functions that kernels call through tt.extern_elementwise. Those that are ops
// already are other names of their kernels; the rest is here, compiled once. Limits: functions with pointer
// arguments (sincos, frexp, modf) cannot be called elementwise and are absent.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_LIBDEVICE_LIBDEVICE_H
#define TRISECT_INTERP_KERNELS_LIBDEVICE_LIBDEVICE_H

#include "interp/kernels/Registry.h"

namespace trisect::interp {

/// All of them; the registry holds the elementwise kernels of its level already.
void addLibdevice(Registry &registry);

/// e^(x^2) erfc x for x >= 25.
double erfcxOfLarge(double x);

void addLibdeviceAliases(Registry &registry);
void addLibdeviceIntegers(Registry &registry);
void addLibdeviceFloats(Registry &registry);
void addLibdeviceSpecial(Registry &registry);
void addLibdeviceDirected(Registry &registry);
void addLibdeviceDirectedCasts(Registry &registry);

} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_LIBDEVICE_LIBDEVICE_H
