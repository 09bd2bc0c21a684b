//===- Value.h - values of a kernel under construction --------------------------------------------------===//
//
// What: types and values by their names in the text, and what of a value a compiled tier may do otherwise.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_VALUE_H
#define TRISECT_TESTS_FUZZ_KERNELS_VALUE_H

#include "core/support/DType.h"
#include <cstdint>
#include <string>
#include <vector>

namespace trisect::fuzz {

using Shape = std::vector<int64_t>;

/// A scalar, without a shape, or a block.
struct Type {
  DType element = DType::I32;
  Shape shape;

  bool scalar() const { return shape.empty(); }
  int64_t elements() const {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    return count;
  }
  Type of(DType other) const { return {other, shape}; }
  Type in(Shape other) const { return {element, std::move(other)}; }
  /// The type of that shape whose elements are spelled `inner`.
  std::string around(const std::string &inner) const {
    std::string text;
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return scalar() ? inner : "tensor<" + text + inner + ">";
  }
  std::string text() const { return around(std::string(name(element))); }
  std::string pointers() const { return around("!tt.ptr<" + std::string(name(element)) + ">"); }
  friend bool operator==(const Type &, const Type &) = default;
};

/// What a compiled tier may do otherwise with a value.
enum class Open : uint8_t {
  Nothing,
  NanBits, ///< sign and payload of a NaN
  Value,   ///< within bounds
};

struct Value {
  std::string name;
  Type type;
  Open open = Open::Nothing;
  bool used = false;
};

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_VALUE_H
