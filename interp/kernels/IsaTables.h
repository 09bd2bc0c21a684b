//===- IsaTables.h - the entry point of each ISA level's kernels ----------------------------------------===//
//
// What: fillRegistry() of every level that this build holds (isa/Fill.cpp, compiled once per level).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_ISATABLES_H
#define TRISECT_INTERP_KERNELS_ISATABLES_H

#include "interp/kernels/Registry.h"

#if defined(__x86_64__) && !defined(TRISECT_SCALAR_KERNELS)
#define TRISECT_X86_KERNELS 1
#else
#define TRISECT_X86_KERNELS 0
#endif
#if defined(__aarch64__) && !defined(TRISECT_SCALAR_KERNELS)
#define TRISECT_ARM_KERNELS 1
#else
#define TRISECT_ARM_KERNELS 0
#endif

namespace trisect::interp {
namespace scalar {
void fillRegistry(Registry &registry);
}
namespace v2 {
void fillRegistry(Registry &registry);
}
namespace avx2 {
void fillRegistry(Registry &registry);
}
namespace avx512 {
void fillRegistry(Registry &registry);
}
namespace neon {
void fillRegistry(Registry &registry);
}
} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_ISATABLES_H
