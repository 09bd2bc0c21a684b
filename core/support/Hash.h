//===- Hash.h - stable content hashes -------------------------------------------------------------------===//
//
// What: SHA-256 over bytes, numbers and strings; the same digest in every process, build and machine.
// Why: cache keys, bundles and stored expectations name content by hash; std::hash promises none of that.
// Limits: not tuned for large data (about 0.3 GB/s), and no secret is protected by it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_HASH_H
#define TRISECT_CORE_SUPPORT_HASH_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trisect {

/// A SHA-256 digest.
struct Digest {
  std::array<uint8_t, 32> bytes = {};

  /// 64 lower-case hexadecimal digits.
  std::string hex() const;
  /// The first 8 bytes as a big-endian number, for tables in memory.
  uint64_t prefix() const;
  friend bool operator==(const Digest &, const Digest &) = default;
  friend auto operator<=>(const Digest &, const Digest &) = default;
};

/// Feeds a digest piece by piece.
class Hasher {
public:
  /// Raw bytes: pieces join without a boundary.
  Hasher &bytes(const void *data, size_t size);
  /// A field: its length goes first, so that ("ab", "c") and ("a", "bc") differ.
  Hasher &field(std::string_view text);
  /// A number as eight little-endian bytes.
  Hasher &number(uint64_t value);
  /// Ends the message; the hasher must not be fed afterwards.
  Digest finish();

private:
  void block(const uint8_t *data);

  std::array<uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, 64> pending = {};
  size_t pendingSize = 0;
  uint64_t totalSize = 0;
};

/// The digest of raw bytes, as `sha256sum` prints it.
Digest hashBytes(std::string_view bytes);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_HASH_H
