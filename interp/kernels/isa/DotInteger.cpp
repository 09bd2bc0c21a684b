//===- DotInteger.cpp - integer matrix products ---------------------------------------------------------===//
//
// What: products of signed integers, wrapping in the accumulator's type; exact for i8 x i8 -> i32 of any
// depth that cannot overflow. i8 is widened to i16 in pairs along k, for which every level has one
// instruction that multiplies and adds both.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/kernels/KernelTable.h"
#include "interp/kernels/Loops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
constexpr int64_t panelColumns = 32;

/// b[k][n] as panels [panel][k / 2][column][2] of i16, zero where k is odd and past n.
void packPairs(int16_t *packed, const int8_t *b, int64_t k, int64_t n, int64_t ldb) {
  for (int64_t column = 0; column < n; column += panelColumns)
    for (int64_t p = 0; p < k; p += 2, packed += 2 * panelColumns)
      for (int64_t j = 0; j < panelColumns; ++j) {
        const bool inside = column + j < n;
        packed[2 * j] = inside ? b[p * ldb + column + j] : int16_t(0);
        packed[2 * j + 1] = inside && p + 1 < k ? b[(p + 1) * ldb + column + j] : int16_t(0);
      }
}

/// One row of a panel: sums[j] += a[p] * b[p][j] + a[p + 1] * b[p + 1][j].
TRISECT_INLINE void addPairs(uint32_t *sums, const int16_t *a, const int16_t *panel, int64_t pairs) {
  for (int64_t p = 0; p < pairs; ++p) {
    const int32_t low = a[2 * p], high = a[2 * p + 1];
    const int16_t *b = panel + p * 2 * panelColumns;
    TRISECT_LOOP for (int64_t j = 0; j < panelColumns; ++j) sums[j] +=
        static_cast<uint32_t>(low * b[2 * j] + high * b[2 * j + 1]);
  }
}

void runDotI8(const DotArgs &args, void *memory) {
  const int64_t pairs = (args.k + 1) / 2;
  const int64_t panels = (args.n + panelColumns - 1) / panelColumns;
  auto *packed = static_cast<int16_t *>(memory);
  auto *row = packed + panels * pairs * 2 * panelColumns;
  packPairs(packed, static_cast<const int8_t *>(args.b), args.k, args.n, args.ldb);
  const auto *a = static_cast<const int8_t *>(args.a);
  const auto *c = static_cast<const uint32_t *>(args.c);
  auto *d = static_cast<uint32_t *>(args.d);
  for (int64_t i = 0; i < args.m; ++i) {
    for (int64_t p = 0; p < 2 * pairs; ++p)
      row[p] = p < args.k ? a[i * args.lda + p] : int16_t(0);
    for (int64_t panel = 0; panel < panels; ++panel) {
      const int64_t column = panel * panelColumns;
      const int64_t valid = args.n - column < panelColumns ? args.n - column : panelColumns;
      alignas(64) uint32_t sums[panelColumns] = {};
      for (int64_t j = 0; j < valid; ++j)
        sums[j] = c[i * args.ldc + column + j];
      addPairs(sums, row, packed + panel * pairs * 2 * panelColumns, pairs);
      for (int64_t j = 0; j < valid; ++j)
        d[i * args.ldd + column + j] = sums[j];
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
      out[j] = c[i * args.ldc + j];
    for (int64_t p = 0; p < args.k; ++p) {
      const U x = U(Element<In>::asSigned(a[i * args.lda + p]));
      const auto *row = b + p * args.ldb;
      TRISECT_LOOP for (int64_t j = 0; j < args.n; ++j) out[j] =
          U(out[j] + x * U(Element<In>::asSigned(row[j])));
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
