//===- Samples.cpp - test inputs and comparison of blocks -----------------------------------------------===//
#include "Samples.h"
#include "interp/numerics/Float16.h"
#include <cmath>
#include <cstring>
#include <sstream>

namespace trisect::interp {

Block::Block(DType type, int64_t n) : type(type), count(n), bytes(n * byteSize(type) + 128) {
  offset = (64 - reinterpret_cast<uintptr_t>(bytes.data()) % 64) % 64;
}
uint64_t Block::bits(int64_t i) const {
  uint64_t value = 0;
  std::memcpy(&value, static_cast<const char *>(data()) + i * byteSize(type), byteSize(type));
  return value;
}
void Block::setBits(int64_t i, uint64_t value) {
  std::memcpy(static_cast<char *>(data()) + i * byteSize(type), &value, byteSize(type));
}

static uint64_t legalBits(DType type, uint64_t bits) {
  if (type == DType::I1)
    return bits & 1;
  if (type == DType::I4)
    return static_cast<uint8_t>(((bits & 15) ^ 8) - 8);
  return bits;
}

static uint64_t encode(DType type, double x) {
  switch (type) {
  case DType::F64:
    return bitsOf(x);
  case DType::F32:
    return bitsOf(static_cast<float>(x));
  case DType::F16:
    return floatToF16(static_cast<float>(x));
  case DType::BF16:
    return floatToBf16(static_cast<float>(x));
  default:
    return static_cast<uint64_t>(static_cast<int64_t>(x));
  }
}

static std::vector<uint64_t> edges(DType type) {
  std::vector<uint64_t> list = {0, 1, 2, 3, ~uint64_t(0)};
  const uint64_t sign = uint64_t(1) << (8 * byteSize(type) - 1);
  for (uint64_t x : {sign, sign - 1, sign + 1, sign | (sign >> 1), sign >> 1, uint64_t(7), uint64_t(255)})
    list.push_back(x);
  if (isFloat(type) && !isFloat8(type))
    for (double x : {0.5,          1.0,
                     1.5,          2.0,
                     3.0,          127.0,
                     128.0,        255.0,
                     65504.0,      65519.0,
                     65520.0,      1e-3,
                     2147483647.0, 2147483648.0,
                     4294967296.0, 9.3e18,
                     1.9e19,       3e38,
                     1e-40,        88.0,
                     104.0,        double(INFINITY),
                     double(NAN)})
      for (double s : {x, -x})
        list.push_back(encode(type, s));
  return list;
}

Block sample(DType type, int64_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  Block block(type, n);
  const auto special = edges(type);
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits = random();
    // Half of the edge values land in every block, at other places for other seeds.
    if (random() % 8 == 0)
      bits = special[random() % special.size()];
    else if (isFloat(type) && !isFloat8(type) && random() % 2)
      bits = encode(type, (double(random() % 200001) - 100000) / 1000);
    else if (!isFloat(type) && random() % 4 == 0)
      bits = random() % 64;
    block.setBits(i, legalBits(type, bits));
  }
  return block;
}

bool isNanBits(DType type, uint64_t bits) {
  switch (type) {
  case DType::F64:
    return isNan(doubleOf(bits));
  case DType::F32:
    return isNan(floatOf(static_cast<uint32_t>(bits)));
  case DType::F16:
    return (bits & 0x7fff) > 0x7c00;
  case DType::BF16:
    return (bits & 0x7fff) > 0x7f80;
  case DType::F8E5M2:
    return (bits & 0x7f) > 0x7c;
  case DType::F8E4M3FN:
    return (bits & 0x7f) == 0x7f;
  case DType::F8E5M2FNUZ:
  case DType::F8E4M3FNUZ:
    return bits == 0x80;
  default:
    return false;
  }
}

bool sameValue(DType type, uint64_t a, uint64_t b) {
  return a == b || (isNanBits(type, a) && isNanBits(type, b));
}

std::string firstDifference(const Block &a, const Block &b) {
  for (int64_t i = 0; i < a.count; ++i)
    if (!sameValue(a.type, a.bits(i), b.bits(i))) {
      std::ostringstream text;
      text << name(a.type) << " element " << i << ": 0x" << std::hex << a.bits(i) << " and 0x" << b.bits(i);
      return text.str();
    }
  return "";
}

} // namespace trisect::interp
