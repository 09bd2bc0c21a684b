//===- DotInteger.cpp - integer matrix products ---------------------------------------------------------===//
//
// What: products of signed integers, wrapping in the accumulator's type; exact for i8 x i8 -> i32 of any
// depth that cannot overflow. i8 is widened to i16 in pairs along k, for which every level has one
// instruction that multiplies and adds both.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/KernelTable.h"
#include "interp/kernels/Loops.h"
#include "interp/kernels/PairVector.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
constexpr int panelVectors = 4;
constexpr int64_t panelColumns = panelVectors * PairVector::lanes;

TRISECT_INLINE int16_t wide(int8_t x) { return static_cast<int16_t>(+x); }

/// b[k][n] as panels [panel][k / 2][column][2] of i16, zero where k is odd and past n.
void packPairs(int16_t *packed, const int8_t *b, int64_t k, int64_t n, int64_t ldb, int64_t step) {
  for (int64_t column = 0; column < n; column += panelColumns) {
    const int64_t valid = n - column < panelColumns ? n - column : panelColumns;
    for (int64_t p = 0; p < k; p += 2, packed += 2 * panelColumns) {
      const int8_t *even = b + p * ldb + column * step, *odd = even + ldb;
      if (valid == panelColumns && p + 1 < k && step == 1) {
        TRISECT_LOOP for (int64_t j = 0; j < panelColumns; ++j) {
          packed[2 * j] = wide(even[j]);
          packed[2 * j + 1] = wide(odd[j]);
        }
        continue;
      }
      for (int64_t j = 0; j < panelColumns; ++j) {
        packed[2 * j] = j < valid ? wide(even[j * step]) : int16_t(0);
        packed[2 * j + 1] = j < valid && p + 1 < k ? wide(odd[j * step]) : int16_t(0);
      }
    }
  }
}

/// a[m][k] as rows of `2 * pairs` i16.
void widenPairs(int16_t *rows, const int8_t *a, int64_t m, int64_t k, int64_t lda) {
  const int64_t width = (k + 1) / 2 * 2;
  for (int64_t i = 0; i < m; ++i) {
    TRISECT_LOOP for (int64_t p = 0; p < k; ++p) rows[i * width + p] = wide(a[i * lda + p]);
    if (width > k)
      rows[i * width + k] = 0;
  }
}

/// Rows x panelColumns sums, in registers over all of k; `tile` is their start and their result.
template <int Rows> void pairTile(uint32_t *tile, const int16_t *rows, const int16_t *panel, int64_t pairs) {
  PairVector acc[Rows][panelVectors];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < panelVectors; ++j)
      acc[i][j] = PairVector::load(tile + i * panelColumns + j * PairVector::lanes);
  for (int64_t p = 0; p < pairs; ++p) {
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      int32_t pair;
      __builtin_memcpy(&pair, rows + (i * pairs + p) * 2, sizeof(pair));
      const PairVector a = PairVector::splat(pair);
#pragma GCC unroll 4
      for (int j = 0; j < panelVectors; ++j)
        acc[i][j].addPairs(a, PairVector::load(panel + (p * panelVectors + j) * PairVector::lanes * 2));
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int j = 0; j < panelVectors; ++j)
      acc[i][j].store(tile + i * panelColumns + j * PairVector::lanes);
}

void runDotI8(const DotArgs &args, void *memory) {
  constexpr int tileRows = 4;
  const int64_t pairs = (args.k + 1) / 2;
  const int64_t panels = (args.n + panelColumns - 1) / panelColumns;
  auto *packed = static_cast<int16_t *>(memory);
  auto *rows = packed + panels * pairs * 2 * panelColumns;
  packPairs(packed, static_cast<const int8_t *>(args.b), args.k, args.n, args.ldb, args.columnB);
  widenPairs(rows, static_cast<const int8_t *>(args.a), args.m, args.k, args.lda);
  const auto *c = static_cast<const uint32_t *>(args.c);
  auto *d = static_cast<uint32_t *>(args.d);
  for (int64_t panel = 0; panel < panels; ++panel) {
    const int64_t column = panel * panelColumns;
    const int64_t valid = args.n - column < panelColumns ? args.n - column : panelColumns;
    const size_t bytes = static_cast<size_t>(valid) * sizeof(uint32_t);
    const int16_t *b = packed + panel * pairs * 2 * panelColumns;
    for (int64_t i = 0; i < args.m; i += tileRows) {
      const int64_t count = args.m - i < tileRows ? args.m - i : tileRows;
      alignas(64) uint32_t tile[tileRows * panelColumns] = {};
      for (int64_t row = 0; c && row < count; ++row)
        __builtin_memcpy(tile + row * panelColumns, c + (i + row) * args.ldc + column, bytes);
      if (count == tileRows)
        pairTile<tileRows>(tile, rows + i * pairs * 2, b, pairs);
      else
        for (int64_t row = 0; row < count; ++row)
          pairTile<1>(tile + row * panelColumns, rows + (i + row) * pairs * 2, b, pairs);
      for (int64_t row = 0; row < count; ++row)
        __builtin_memcpy(d + (i + row) * args.ldd + column, tile + row * panelColumns, bytes);
    }
  }
}

/// Any other widths: row by row, vectorised along n.
template <DType In, DType Acc> void runDotWide(const DotArgs &args, void *) {
  using U = Storage<Acc>;
  const auto *a = static_cast<const Storage<In> *>(args.a);
  const auto *b = static_cast<const Storage<In> *>(args.b);
  const auto *c = static_cast<const U *>(args.c);
  auto *d = static_cast<U *>(args.d);
  for (int64_t i = 0; i < args.m; ++i) {
    U *out = d + i * args.ldd;
    for (int64_t j = 0; j < args.n; ++j)
      out[j] = c ? c[i * args.ldc + j] : U(0);
    for (int64_t p = 0; p < args.k; ++p) {
      const U x = U(Element<In>::asSigned(a[i * args.lda + p]));
      const auto *row = b + p * args.ldb;
      const int64_t step = args.columnB;
      if (step == 1) {
        TRISECT_LOOP for (int64_t j = 0; j < args.n; ++j) out[j] =
            U(out[j] + x * U(Element<In>::asSigned(row[j])));
        continue;
      }
      for (int64_t j = 0; j < args.n; ++j)
        out[j] = U(out[j] + x * U(Element<In>::asSigned(row[j * step])));
    }
  }
}
} // namespace

void addDotInteger(Registry &r) {
  r.addDot(DType::I8, DType::I8, DType::I32, DotPrecision::Ieee, runDotI8);
  r.addDot(DType::I16, DType::I16, DType::I32, DotPrecision::Ieee, runDotWide<DType::I16, DType::I32>);
  r.addDot(DType::I32, DType::I32, DType::I32, DotPrecision::Ieee, runDotWide<DType::I32, DType::I32>);
  r.addDot(DType::I64, DType::I64, DType::I64, DotPrecision::Ieee, runDotWide<DType::I64, DType::I64>);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
