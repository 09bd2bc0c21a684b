//===- Hash.cpp - SHA-256 (FIPS 180-4) ------------------------------------------------------------------===//
#include "core/support/Hash.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace trisect {

namespace {
// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<uint32_t, 64> roundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t loadBigEndian(const uint8_t *data) {
  return uint32_t(data[0]) << 24 | uint32_t(data[1]) << 16 | uint32_t(data[2]) << 8 | uint32_t(data[3]);
}
} // namespace

std::string Digest::hex() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

uint64_t Digest::prefix() const {
  return uint64_t(loadBigEndian(bytes.data())) << 32 | loadBigEndian(bytes.data() + 4);
}

void Hasher::block(const uint8_t *data) {
  std::array<uint32_t, 64> schedule;
  for (int i = 0; i < 16; ++i)
    schedule[i] = loadBigEndian(data + 4 * i);
  for (int i = 16; i < 64; ++i) {
    uint32_t early = schedule[i - 15], late = schedule[i - 2];
    uint32_t mixEarly = std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3);
    uint32_t mixLate = std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10);
    schedule[i] = schedule[i - 16] + mixEarly + schedule[i - 7] + mixLate;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    uint32_t choose = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
    uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choose +
                     roundConstants[i] + schedule[i];
    uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const uint32_t mixed[8] = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += mixed[i];
}

Hasher &Hasher::bytes(const void *data, size_t size) {
  const auto *next = static_cast<const uint8_t *>(data);
  totalSize += size;
  while (size > 0) {
    if (pendingSize == 0 && size >= pending.size()) {
      block(next);
      next += pending.size(), size -= pending.size();
      continue;
    }
    size_t taken = std::min(size, pending.size() - pendingSize);
    std::memcpy(pending.data() + pendingSize, next, taken);
    pendingSize += taken, next += taken, size -= taken;
    if (pendingSize == pending.size()) {
      block(pending.data());
      pendingSize = 0;
    }
  }
  return *this;
}

Hasher &Hasher::field(std::string_view text) { return number(text.size()).bytes(text.data(), text.size()); }

Hasher &Hasher::number(uint64_t value) {
  uint8_t little[8];
  for (int i = 0; i < 8; ++i)
    little[i] = static_cast<uint8_t>(value >> (8 * i));
  return bytes(little, sizeof(little));
}

Digest Hasher::finish() {
  uint64_t bits = totalSize * 8;
  const uint8_t one = 0x80, zero = 0;
  bytes(&one, 1);
  while (pendingSize != 56)
    bytes(&zero, 1);
  uint8_t length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  bytes(length, sizeof(length));
  Digest digest;
  for (int i = 0; i < 32; ++i)
    digest.bytes[i] = static_cast<uint8_t>(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

Digest hashBytes(std::string_view bytes) { return Hasher().bytes(bytes.data(), bytes.size()).finish(); }

} // namespace trisect
