//===- DotScaledOps.cpp - products of microscaled operands ----------------------------------------------===//
//
// What: d = (a * scale of a) . (b * scale of b) + c. Operands are widened to f32 with their scales applied,
// which is exact except where a scale leaves the range of f32, then multiplied as f32. Limits: a scale of 255
// (e8m0) is NaN.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Enums.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/ops/Handlers.h"
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace trisect::interp {

namespace {

using Format = attr::ScaledFormat;

/// A small float of one sign bit, `exponent` and `mantissa` bits, without infinities.
float smallFloat(unsigned bits, int exponent, int mantissa, int bias) {
  int e = static_cast<int>(bits >> mantissa) & ((1 << exponent) - 1);
  int m = static_cast<int>(bits) & ((1 << mantissa) - 1);
  float value = e ? std::ldexp(1.0f + std::ldexp(float(m), -mantissa), e - bias)
                  : std::ldexp(float(m), 1 - bias - mantissa);
  return bits >> (exponent + mantissa) & 1 ? -value : value;
}

std::array<float, 256> byteTable(Format format) {
  std::array<float, 256> table;
  for (unsigned bits = 0; bits < 256; ++bits)
    switch (format) {
    case Format::E4M3:
      table[bits] = static_cast<float>(toDouble(bits, DType::F8E4M3FN));
      break;
    case Format::E5M2:
      table[bits] = static_cast<float>(toDouble(bits, DType::F8E5M2));
      break;
    case Format::E2M3:
      table[bits] = smallFloat(bits & 63, 2, 3, 1);
      break;
    case Format::E3M2:
      table[bits] = smallFloat(bits & 63, 3, 2, 3);
      break;
    default:
      table[bits] = smallFloat(bits & 15, 2, 1, 1);
    }
  return table;
}

const std::array<float, 256> &tableOf(Format format) {
  static const std::array<std::array<float, 256>, 5> tables = {
      byteTable(Format::E4M3), byteTable(Format::E5M2), byteTable(Format::E2M3), byteTable(Format::E3M2),
      byteTable(Format::E2M1)};
  return tables[static_cast<size_t>(format)];
}

/// `count` elements of bf16 or f16 as f32.
void widenHalves(const char *data, Format format, int64_t count, float *out) {
  static const ElementwiseFn kernels[] = {
      elementwiseKernel({OpId::arith_extf, DType::BF16, DType::F32}, Numerics::Ieee),
      elementwiseKernel({OpId::arith_extf, DType::F16, DType::F32}, Numerics::Ieee)};
  Strip strip{data, false};
  kernels[format == Format::BF16 ? 0 : 1](out, &strip, count, 0);
}

/// One operand as rows x columns of f32; `packsColumns`: two e2m1 values of a byte are neighbours in a row.
void widen(const char *data, Format format, bool packsColumns, int64_t rows, int64_t columns, float *out) {
  if (format == Format::BF16 || format == Format::FP16)
    return widenHalves(data, format, rows * columns, out);
  const auto &table = tableOf(format);
  const auto *bytes = reinterpret_cast<const uint8_t *>(data);
  if (format != Format::E2M1) {
    for (int64_t n = 0; n < rows * columns; ++n)
      out[n] = table[bytes[n]];
    return;
  }
  if (packsColumns) {
    for (int64_t n = 0; n < rows * columns / 2; ++n) {
      out[2 * n] = table[bytes[n] & 15];
      out[2 * n + 1] = table[bytes[n] >> 4];
    }
    return;
  }
  for (int64_t r = 0; r < rows / 2; ++r)
    for (int64_t c = 0; c < columns; ++c) {
      uint8_t byte = bytes[r * columns + c];
      out[2 * r * columns + c] = table[byte & 15];
      out[(2 * r + 1) * columns + c] = table[byte >> 4];
    }
}

using ScaleTable = std::array<float, 256>;

/// What the bits of a scale stand for: e8m0 in i8, else a float of 8 bits.
ScaleTable scaleTable(DType type) {
  ScaleTable table;
  for (int bits = 0; bits < 256; ++bits)
    table[static_cast<size_t>(bits)] = type != DType::I8
                                           ? static_cast<float>(toDouble(static_cast<uint64_t>(bits), type))
                                       : bits == 255 ? std::numeric_limits<float>::quiet_NaN()
                                                     : std::ldexp(1.0f, bits - 127);
  return table;
}

/// scales[row][group] over groups of neighbouring columns.
void scaleRows(float *matrix, const uint8_t *scales, const ScaleTable &table, int64_t rows, int64_t columns,
               int64_t groups) {
  int64_t length = columns / groups;
  for (int64_t n = 0; n < rows * groups; ++n, matrix += length) {
    float scale = table[scales[n]];
    for (int64_t at = 0; at < length; ++at)
      matrix[at] *= scale;
  }
}

/// scales[column][group] over groups of neighbouring rows.
void scaleColumns(float *matrix, const uint8_t *scales, const ScaleTable &table, int64_t rows,
                  int64_t columns, int64_t groups) {
  int64_t length = rows / groups;
  std::vector<float> line(static_cast<size_t>(columns));
  for (int64_t g = 0; g < groups; ++g) {
    for (int64_t column = 0; column < columns; ++column)
      line[static_cast<size_t>(column)] = table[scales[column * groups + g]];
    for (int64_t row = 0; row < length; ++row, matrix += columns)
      for (int64_t column = 0; column < columns; ++column)
        matrix[column] *= line[static_cast<size_t>(column)];
  }
}

} // namespace

void dotScaled(Instance &s, const Instr &i) {
  // a, scale of a, b, scale of b, c; formats of a and b, whether they pack along K
  const auto &facts = s.program.extra(i).ints;
  SlotId result = s.resultSlot(i);
  const Shape &shape = s.shape(result);
  const Shape &left = s.shape(s.operandSlot(i, 0));
  auto formatA = static_cast<Format>(facts[0]), formatB = static_cast<Format>(facts[1]);
  bool packA = facts[2], packB = facts[3];
  int rank = shape.rank();
  int64_t m = shape.dims[rank - 2], n = shape.dims[rank - 1];
  int64_t k = left.dims[rank - 1] * (formatA == Format::E2M1 && packA ? 2 : 1);
  int64_t batches = rank == 3 ? shape.dims[0] : 1;
  Value keep[5];
  const char *data[5];
  for (unsigned o = 0; o < 5; ++o)
    data[o] = s.has(i, o) ? denseOperand(s, i, o, keep[o]) : nullptr;
  DType typeC = s.type(result);
  int64_t bytesA = s.program.elements(s.operandSlot(i, 0)) / batches * byteSize(s.type(s.operandSlot(i, 0)));
  int64_t bytesB = s.program.elements(s.operandSlot(i, 2)) / batches * byteSize(s.type(s.operandSlot(i, 2)));
  Value a, b, out, scratch, c;
  a.setDense(s.pool.acquire(m * k * 4));
  b.setDense(s.pool.acquire(k * n * 4));
  c.setDense(s.pool.acquire(m * n * 4));
  out.setDense(s.pool.acquire(shape.elements * byteSize(typeC)));
  scratch.setDense(s.pool.acquire(std::max<int64_t>(64, dotScratchBytes(m, n, k))));
  auto *wideA = reinterpret_cast<float *>(a.data), *wideB = reinterpret_cast<float *>(b.data);
  auto *sums = reinterpret_cast<float *>(c.data);
  static const DotFn product = dotKernel(DType::F32, DType::F32, DType::F32, DotPrecision::Ieee);
  for (int64_t batch = 0; batch < batches; ++batch) {
    widen(data[0] + batch * bytesA, formatA, packA, m, k, wideA);
    widen(data[2] + batch * bytesB, formatB, !packB, k, n, wideB);
    if (data[1]) {
      SlotId slot = s.operandSlot(i, 1);
      int64_t groups = s.shape(slot).dims.back();
      const auto *scales = reinterpret_cast<const uint8_t *>(data[1]) + batch * m * groups;
      scaleRows(wideA, scales, scaleTable(s.type(slot)), m, k, groups);
    }
    if (data[3]) {
      SlotId slot = s.operandSlot(i, 3);
      int64_t groups = s.shape(slot).dims.back();
      const auto *scales = reinterpret_cast<const uint8_t *>(data[3]) + batch * n * groups;
      scaleColumns(wideB, scales, scaleTable(s.type(slot)), k, n, groups);
    }
    unsigned size = byteSize(typeC);
    for (int64_t e = 0; typeC != DType::F32 && e < m * n; ++e) {
      uint64_t bits = 0;
      std::memcpy(&bits, data[4] + (batch * m * n + e) * size, size);
      sums[e] = static_cast<float>(toDouble(bits, typeC));
    }
    DotArgs args{};
    args.a = wideA;
    args.b = wideB;
    args.c = typeC == DType::F32 ? static_cast<const void *>(data[4] + batch * m * n * 4) : sums;
    args.d = typeC == DType::F32 ? static_cast<void *>(out.data + batch * m * n * 4) : sums;
    args.m = m;
    args.n = n;
    args.k = k;
    args.lda = k;
    args.ldb = args.ldc = args.ldd = n;
    product(args, scratch.data);
    for (int64_t e = 0; typeC != DType::F32 && e < m * n; ++e) {
      uint64_t bits = fromDouble(sums[e], typeC);
      std::memcpy(out.data + (batch * m * n + e) * size, &bits, size);
    }
  }
  s.slot(result) = std::move(out);
}

} // namespace trisect::interp
