//===- Mark.h - what the bytes of an element in memory were written as ----------------------------------===//
//
// What: a byte for each byte of an element: its type, whether the element begins there, whether its bits are
// open (its ends differ, or it is a NaN). Why: bytes that are read as of another type than they were written
// in have other ends. Limits: bytes that are no mark, such as padding, say nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_BOUNDS_MARK_H
#define TRISECT_INTERP_BOUNDS_MARK_H

#include "core/support/DType.h"
#include <cstdint>
#include <optional>

namespace trisect::interp {

class Mark {
public:
  explicit Mark(uint64_t bits) : code(bits) {}
  Mark(DType type, bool open) : code(0) {
    for (unsigned n = 0; n < byteSize(type); ++n)
      code |= (static_cast<uint64_t>(type) + 1 | (open ? openBits : 0)) << (8 * n);
    code |= firstByte;
  }

  uint64_t bits() const { return code; }
  /// Whether an element begins at the first byte.
  bool begins() const { return code & firstByte && typeAt(0); }
  /// The type of the first byte.
  std::optional<DType> type() const { return typeAt(0); }
  /// Whether all of it is one element of this type, or nothing that was marked.
  bool is(DType type) const { return code == Mark(type, false).code || code == Mark(type, true).code; }
  /// Whether any of these bytes belongs to an element whose bits are open.
  bool open(unsigned bytes) const {
    for (unsigned n = 0; n < bytes; ++n)
      if (typeAt(n) && code >> (8 * n) & openBits)
        return true;
    return false;
  }

private:
  static constexpr uint64_t firstByte = 0x80, openBits = 0x40;

  std::optional<DType> typeAt(unsigned n) const {
    uint64_t number = code >> (8 * n) & 0x3f;
    if (number == 0 || number > numDTypes)
      return std::nullopt;
    return static_cast<DType>(number - 1);
  }

  uint64_t code;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_BOUNDS_MARK_H
