//===- MmaFunctions.cpp - the matrix product of a warp --------------------------------------------------===//
#include "backends/cuda/emulate/MmaFunctions.h"
#include <cmath>
#include <cstring>

namespace trisect::cuda {

MmaCounts mmaCounts(MmaKind kind) { return kind == MmaKind::F64 ? MmaCounts{1, 1, 2} : MmaCounts{4, 2, 4}; }

namespace {
float floatOf(uint64_t bits) {
  auto word = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

double doubleOf(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

template <class T> uint64_t bitsOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  return bits;
}

float halfOf(uint16_t bits) {
  uint32_t magnitude = uint32_t(bits & 0x7fff) << 13, sign = uint32_t(bits & 0x8000) << 16;
  float value = floatOf(magnitude) * 0x1p112f;
  uint32_t word = static_cast<uint32_t>(bitsOf(value));
  if ((bits & 0x7c00) == 0x7c00)
    word = 0x7f800000 | magnitude;
  return floatOf(word | sign);
}

/// Elements in a 32-bit word.
unsigned packed(MmaKind kind) { return kind == MmaKind::S8 ? 4 : kind == MmaKind::TF32 ? 1 : 2; }

double element(MmaKind kind, uint64_t word, unsigned at) {
  switch (kind) {
  case MmaKind::F16:
    return halfOf(static_cast<uint16_t>(word >> (16 * at)));
  case MmaKind::BF16:
    return floatOf((word >> (16 * at) & 0xffff) << 16);
  case MmaKind::TF32:
    return floatOf(word & 0xffffe000u);
  case MmaKind::S8:
    return static_cast<int8_t>(word >> (8 * at));
  case MmaKind::F64:
    return doubleOf(word);
  }
  return 0;
}
} // namespace

void multiply(MmaKind kind, const std::array<std::vector<uint64_t>, 32> &brought,
              std::array<std::vector<uint64_t>, 32> &taken) {
  double a[16][32], b[32][8];
  MmaCounts counts = mmaCounts(kind);
  bool wide = kind == MmaKind::F64;
  unsigned each = wide ? 1 : packed(kind), depth = wide ? 4 : 8 * each;
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned group = lane / 4, member = lane % 4;
    if (wide) {
      a[group][member] = doubleOf(brought[lane][0]);
      b[member][group] = doubleOf(brought[lane][1]);
      continue;
    }
    for (unsigned word = 0; word < 4; ++word)
      for (unsigned i = 0; i < each; ++i)
        a[group + 8 * (word % 2)][member * each + i + 4 * each * (word / 2)] =
            element(kind, brought[lane][word], i);
    for (unsigned word = 0; word < 2; ++word)
      for (unsigned i = 0; i < each; ++i)
        b[member * each + i + 4 * each * word][group] = element(kind, brought[lane][4 + word], i);
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    taken[lane].assign(counts.c, 0);
    for (unsigned i = 0; i < counts.c; ++i) {
      unsigned row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      uint64_t start = brought[lane][counts.a + counts.b + i];
      if (kind == MmaKind::S8) {
        auto sum = static_cast<int32_t>(start);
        for (unsigned k = 0; k < depth; ++k)
          sum += static_cast<int32_t>(a[row][k]) * static_cast<int32_t>(b[k][column]);
        taken[lane][i] = static_cast<uint32_t>(sum);
      } else if (wide) {
        double sum = doubleOf(start);
        for (unsigned k = 0; k < depth; ++k)
          sum = std::fma(a[row][k], b[k][column], sum);
        taken[lane][i] = bitsOf(sum);
      } else {
        float sum = floatOf(start);
        for (unsigned k = 0; k < depth; ++k)
          sum = std::fma(static_cast<float>(a[row][k]), static_cast<float>(b[k][column]), sum);
        taken[lane][i] = bitsOf(sum);
      }
    }
  }
}

} // namespace trisect::cuda
