//===- ElementTypes.h - element types and argument slots by name ----------------------------------------===//
//
// What: the types that tensors and signatures name, in the spellings of torch, NumPy, ml_dtypes and the
// language.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_ELEMENTTYPES_H
#define TRISECT_PYTHON_BINDINGS_ELEMENTTYPES_H

#include "core/support/DType.h"
#include <pybind11/pybind11.h>
#include <string>
#include <string_view>

namespace trisect::python {

/// An element type as signatures spell it (`fp32`, `u1`, `fp8e4nv`), numbered for keys.
struct ElementType {
  std::string spelling;
  DType type;
  uint16_t number;

  /// False for bool, too.
  bool isSigned() const { return spelling.front() != 'u'; }
};

/// The element type of a dtype object of torch, NumPy, ml_dtypes or the language; throws TypeError if there
/// is none.
const ElementType &elementType(PyObject *dtype);

/// The element type of a name or spelling; null if there is none.
const ElementType *elementTypeNamed(std::string_view name);

/// What a signature entry becomes in the kernel's arguments.
enum class SlotKind : uint8_t { None, Pointer, Bool, Int, F16, BF16, F32, F64 };
struct Slot {
  SlotKind kind = SlotKind::None;
  uint8_t bits = 0;
  bool isSigned = false;

  /// How far below zero numbers may lie, and how many there are less one. Those without a sign wrap, as in C;
  /// bytes may be given as either.
  uint64_t below() const { return isNarrow() ? uint64_t(1) << (bits - 1) : 0; }
  uint64_t span() const {
    return !isNarrow() ? ~uint64_t(0) : bits == 8 ? 128 + 255 : (uint64_t(1) << bits) - 1;
  }

private:
  bool isNarrow() const { return kind == SlotKind::Int && isSigned && bits < 64; }
};
/// Of `*fp32`, `i64`, `fp16`, `constexpr`; throws ValueError on anything else.
Slot parseSlot(std::string_view spelling);

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_ELEMENTTYPES_H
