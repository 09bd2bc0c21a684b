//===- IsaNamespace.h - one namespace per ISA level that a header is compiled for -----------------------===//
//
// What: TRISECT_ISA_NS, the inline namespace around everything in interp/numerics and the kernel templates,
// and the attributes that their functions carry. Why: these headers are compiled several times with different
// -march flags. If two objects defined the same inline function, the linker would keep either, and a machine
// without AVX-512 could run into its code. Limits: code outside interp/kernels/isa gets the namespace `base`
// and the flags of an ordinary file.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_NUMERICS_ISANAMESPACE_H
#define TRISECT_INTERP_NUMERICS_ISANAMESPACE_H

#ifndef TRISECT_ISA_NS
#define TRISECT_ISA_NS base
#endif

/// For the small functions that loops are built of: a call would keep a loop from being vectorised.
#define TRISECT_INLINE [[gnu::always_inline]] inline

/// Before a loop whose iterations are independent: lanes read what they write, never a neighbour's element.
#if defined(__clang__)
#define TRISECT_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define TRISECT_LOOP _Pragma("GCC ivdep")
#endif

#endif // TRISECT_INTERP_NUMERICS_ISANAMESPACE_H
