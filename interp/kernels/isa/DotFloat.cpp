//===- DotFloat.cpp - float matrix products -------------------------------------------------------------===//
//
// What: products of all float types, and the reduced precisions of f32. Narrow operands become f32 while they
// are packed: their products are then exact or rounded by the fused multiply-add alone.
// Limits: an accumulator of 16 bits is kept in f32 and rounded once at the end.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/DotCore.h"
#include "interp/kernels/KernelTable.h"
#include "interp/kernels/isa/Themes.h"
#include "interp/numerics/Element.h"
#include "interp/numerics/Tf32.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
/// Carves arrays out of the caller's scratch.
class Scratch {
public:
  explicit Scratch(void *base) : next(static_cast<char *>(base)) {}
  template <class T> T *take(int64_t count) {
    T *result = reinterpret_cast<T *>(next);
    next += (count * static_cast<int64_t>(sizeof(T)) + 63) & ~int64_t(63);
    return result;
  }

private:
  char *next;
};

template <DType A> struct Widen {
  TRISECT_INLINE Compute<A> operator()(Storage<A> x) const { return widen<A>(x); }
};

/// a[m][k] as contiguous values of the compute type.
template <DType A> Compute<A> *widenRows(Scratch &scratch, const DotArgs &args) {
  auto *rows = scratch.take<Compute<A>>(args.m * args.k);
  const auto *a = static_cast<const Storage<A> *>(args.a);
  for (int64_t i = 0; i < args.m; ++i)
    TRISECT_LOOP for (int64_t p = 0; p < args.k; ++p) rows[i * args.k + p] = widen<A>(a[i * args.lda + p]);
  return rows;
}

template <class From> PackSource<From> sourceOf(const DotArgs &args) {
  return {static_cast<const From *>(args.b), args.k, args.n, args.ldb, args.columnB};
}

template <DType A, DType B, DType Acc> void runDot(const DotArgs &args, void *memory) {
  using C = Compute<B>;
  Scratch scratch(memory);
  C *packed = scratch.take<C>(args.k * paddedColumns<C>(args.n));
  packPanels(packed, sourceOf<Storage<B>>(args), Widen<B>());
  const C *a;
  int64_t lda;
  if constexpr (sizeof(Storage<A>) == sizeof(C)) {
    a = static_cast<const C *>(args.a);
    lda = args.lda;
  } else {
    a = widenRows<A>(scratch, args);
    lda = args.k;
  }
  const auto *c = static_cast<const Storage<Acc> *>(args.c);
  auto *d = static_cast<Storage<Acc> *>(args.d);
  if constexpr (sizeof(Storage<Acc>) == sizeof(C)) {
    dotPass<C>({a, lda, packed, c, args.ldc, d, args.ldd, args.m, args.n, args.k});
  } else {
    C *sums = scratch.take<C>(args.m * args.n);
    for (int64_t i = 0; i < args.m; ++i)
      TRISECT_LOOP for (int64_t j = 0; j < args.n; ++j) sums[i * args.n + j] =
          c ? widen<Acc>(c[i * args.ldc + j]) : C(0);
    dotPass<C>({a, lda, packed, sums, args.n, sums, args.n, args.m, args.n, args.k});
    for (int64_t i = 0; i < args.m; ++i)
      TRISECT_LOOP for (int64_t j = 0; j < args.n; ++j) d[i * args.ldd + j] =
          narrow<Acc>(sums[i * args.n + j]);
  }
}

/// Every second value of a row of `count`, from `first` on, as contiguous values.
TRISECT_INLINE void everySecond(float *to, const Storage<DType::BF16> *from, int64_t first, int64_t count) {
  TRISECT_LOOP for (int64_t p = 0; 2 * p + first < count; ++p) to[p] =
      widen<DType::BF16>(from[2 * p + first]);
}

/// Products of bf16 by blocks of steps: the even steps of a block are one chain from zero on, the odd ones
/// another; the sum of the two is added to what there was.
void runBlockDot(const DotArgs &args, void *memory) {
  constexpr int64_t block = 32;
  using From = Storage<DType::BF16>;
  Scratch scratch(memory);
  const int64_t most = (args.k < block ? args.k + 1 : block) / 2;
  float *packed = scratch.take<float>(most * paddedColumns<float>(args.n));
  float *rows = scratch.take<float>(args.m * most);
  float *halves[2] = {scratch.take<float>(args.m * args.n), scratch.take<float>(args.m * args.n)};
  const auto *a = static_cast<const From *>(args.a), *b = static_cast<const From *>(args.b);
  const auto *before = static_cast<const float *>(args.c);
  auto *d = static_cast<float *>(args.d);
  int64_t pitch = args.ldc;
  for (int64_t k = 0; k < args.k; k += block, before = d, pitch = args.ldd) {
    const int64_t steps = args.k - k < block ? args.k - k : block;
    for (int64_t odd = 0; odd < 2; ++odd) {
      const int64_t count = (steps + 1 - odd) / 2;
      for (int64_t i = 0; i < args.m; ++i)
        everySecond(rows + i * count, a + i * args.lda + k, odd, steps);
      packPanels(packed,
                 PackSource<From>{b + (k + odd) * args.ldb, count, args.n, 2 * args.ldb, args.columnB},
                 Widen<DType::BF16>());
      dotPass<float>({rows, count, packed, nullptr, 0, halves[odd], args.n, args.m, args.n, count});
    }
    for (int64_t i = 0; i < args.m; ++i)
      TRISECT_LOOP for (int64_t j = 0; j < args.n; ++j) {
        const float sum = halves[0][i * args.n + j] + halves[1][i * args.n + j];
        d[i * args.ldd + j] = (before ? before[i * pitch + j] : 0.0F) + sum;
      }
  }
}

/// The terms of an f32 value, leading term first.
template <DotPrecision P> struct Split;
template <> struct Split<DotPrecision::Tf32> {
  static constexpr int terms = 1;
  TRISECT_INLINE static float term(float x, int) { return roundToTf32(x); }
};
template <> struct Split<DotPrecision::Tf32x3> {
  static constexpr int terms = 2;
  TRISECT_INLINE static float term(float x, int i) {
    const float big = roundToTf32(x);
    return i == 0 ? big : roundToTf32(remainderOf(x, big));
  }
};
template <> struct Split<DotPrecision::Bf16x3> {
  static constexpr int terms = 2;
  TRISECT_INLINE static float term(float x, int i) {
    const float big = roundToBf16(x);
    return i == 0 ? big : roundToBf16(remainderOf(x, big));
  }
};
template <> struct Split<DotPrecision::Bf16x6> {
  static constexpr int terms = 3;
  TRISECT_INLINE static float term(float x, int i) {
    const float big = roundToBf16(x), rest = remainderOf(x, big), middle = roundToBf16(rest);
    return i == 0 ? big : i == 1 ? middle : roundToBf16(remainderOf(rest, middle));
  }
};

/// Term `T` of both operands, a as contiguous rows, b as panels.
template <DotPrecision P, int T>
void splitTerm(const DotArgs &args, Scratch &scratch, float *(&rows)[3], float *(&packed)[3]) {
  const auto *a = static_cast<const float *>(args.a);
  rows[T] = scratch.take<float>(args.m * args.k);
  for (int64_t i = 0; i < args.m; ++i)
    TRISECT_LOOP for (int64_t p = 0; p < args.k; ++p) rows[T][i * args.k + p] =
        Split<P>::term(a[i * args.lda + p], T);
  packed[T] = scratch.take<float>(args.k * paddedColumns<float>(args.n));
  packPanels(packed[T], sourceOf<float>(args),
             [](float x) __attribute__((always_inline)) { return Split<P>::term(x, T); });
}

/// d = c + the products of terms i and j with i + j < terms, smallest first, each over all of k.
template <DotPrecision P> void runSplitDot(const DotArgs &args, void *memory) {
  constexpr int terms = Split<P>::terms;
  Scratch scratch(memory);
  float *rows[3], *packed[3];
  splitTerm<P, 0>(args, scratch, rows, packed);
  if constexpr (terms > 1)
    splitTerm<P, 1>(args, scratch, rows, packed);
  if constexpr (terms > 2)
    splitTerm<P, 2>(args, scratch, rows, packed);
  const auto *c = static_cast<const float *>(args.c);
  auto *d = static_cast<float *>(args.d);
  int64_t ldc = args.ldc;
  for (int order = terms - 1; order >= 0; --order)
    for (int i = order; i >= 0; --i) {
      dotPass<float>({rows[i], args.k, packed[order - i], c, ldc, d, args.ldd, args.m, args.n, args.k});
      c = d;
      ldc = args.ldd;
    }
}

template <DType A, DType B> void addFloat8(Registry &r) {
  r.addDot(A, B, DType::F32, DotPrecision::Ieee, runDot<A, B, DType::F32>);
  r.addDot(A, B, DType::F16, DotPrecision::Ieee, runDot<A, B, DType::F16>);
}
template <DType A> void addFloat8Pairs(Registry &r) {
  addFloat8<A, DType::F8E5M2>(r);
  addFloat8<A, DType::F8E4M3FN>(r);
  addFloat8<A, DType::F8E5M2FNUZ>(r);
  addFloat8<A, DType::F8E4M3FNUZ>(r);
}
} // namespace

void addDotFloat(Registry &r) {
  r.addDot(DType::F32, DType::F32, DType::F32, DotPrecision::Ieee,
           runDot<DType::F32, DType::F32, DType::F32>);
  r.addDot(DType::F32, DType::F32, DType::F32, DotPrecision::Tf32, runSplitDot<DotPrecision::Tf32>);
  r.addDot(DType::F32, DType::F32, DType::F32, DotPrecision::Tf32x3, runSplitDot<DotPrecision::Tf32x3>);
  r.addDot(DType::F32, DType::F32, DType::F32, DotPrecision::Bf16x3, runSplitDot<DotPrecision::Bf16x3>);
  r.addDot(DType::F32, DType::F32, DType::F32, DotPrecision::Bf16x6, runSplitDot<DotPrecision::Bf16x6>);
  r.addDot(DType::F64, DType::F64, DType::F64, DotPrecision::Ieee,
           runDot<DType::F64, DType::F64, DType::F64>);
  r.addDot(DType::F16, DType::F16, DType::F32, DotPrecision::Ieee,
           runDot<DType::F16, DType::F16, DType::F32>);
  r.addDot(DType::F16, DType::F16, DType::F16, DotPrecision::Ieee,
           runDot<DType::F16, DType::F16, DType::F16>);
  r.addDot(DType::BF16, DType::BF16, DType::F32, DotPrecision::Ieee,
           runDot<DType::BF16, DType::BF16, DType::F32>);
  r.addDot(DType::BF16, DType::BF16, DType::F32, DotPrecision::Blocks, runBlockDot);
  r.addDot(DType::BF16, DType::BF16, DType::BF16, DotPrecision::Ieee,
           runDot<DType::BF16, DType::BF16, DType::BF16>);
  addFloat8Pairs<DType::F8E5M2>(r);
  addFloat8Pairs<DType::F8E4M3FN>(r);
  addFloat8Pairs<DType::F8E5M2FNUZ>(r);
  addFloat8Pairs<DType::F8E4M3FNUZ>(r);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
