//===- ElementTypes.cpp - element types and argument slots by name --------------------------------------===//
#include "python/bindings/ElementTypes.h"
#include "core/support/Lasting.h"
#include "python/bindings/facade/Support.h"
#include <deque>
#include <unordered_map>

namespace py = pybind11;

namespace trisect::python {

namespace {

struct Spelling {
  std::string_view name;
  std::string_view spelling;
  DType type;
};

/// Names of dtypes in torch, NumPy, ml_dtypes and the language, and their spelling in signatures.
constexpr Spelling spellings[] = {
    {"bool", "u1", DType::I1},
    {"int1", "u1", DType::I1},
    {"uint1", "u1", DType::I1},
    {"i1", "u1", DType::I1},
    {"u1", "u1", DType::I1},
    {"int8", "i8", DType::I8},
    {"i8", "i8", DType::I8},
    {"int16", "i16", DType::I16},
    {"i16", "i16", DType::I16},
    {"int32", "i32", DType::I32},
    {"int", "i32", DType::I32},
    {"i32", "i32", DType::I32},
    {"int64", "i64", DType::I64},
    {"i64", "i64", DType::I64},
    {"uint8", "u8", DType::I8},
    {"u8", "u8", DType::I8},
    {"uint16", "u16", DType::I16},
    {"u16", "u16", DType::I16},
    {"uint32", "u32", DType::I32},
    {"u32", "u32", DType::I32},
    {"uint64", "u64", DType::I64},
    {"u64", "u64", DType::I64},
    {"half", "fp16", DType::F16},
    {"float16", "fp16", DType::F16},
    {"fp16", "fp16", DType::F16},
    {"bfloat16", "bf16", DType::BF16},
    {"bf16", "bf16", DType::BF16},
    {"float", "fp32", DType::F32},
    {"float32", "fp32", DType::F32},
    {"fp32", "fp32", DType::F32},
    {"double", "fp64", DType::F64},
    {"float64", "fp64", DType::F64},
    {"fp64", "fp64", DType::F64},
    {"float8e4nv", "fp8e4nv", DType::F8E4M3FN},
    {"float8_e4m3fn", "fp8e4nv", DType::F8E4M3FN},
    {"fp8e4nv", "fp8e4nv", DType::F8E4M3FN},
    {"float8e4b8", "fp8e4b8", DType::F8E4M3FNUZ},
    {"float8_e4m3fnuz", "fp8e4b8", DType::F8E4M3FNUZ},
    {"fp8e4b8", "fp8e4b8", DType::F8E4M3FNUZ},
    {"float8e5", "fp8e5", DType::F8E5M2},
    {"float8_e5m2", "fp8e5", DType::F8E5M2},
    {"fp8e5", "fp8e5", DType::F8E5M2},
    {"float8e5b16", "fp8e5b16", DType::F8E5M2FNUZ},
    {"float8_e5m2fnuz", "fp8e5b16", DType::F8E5M2FNUZ},
    {"fp8e5b16", "fp8e5b16", DType::F8E5M2FNUZ},
    {"float8e4b15", "fp8e4b15", DType::I8},
    {"fp8e4b15", "fp8e4b15", DType::I8},
    // Formats without arithmetic are passed as their bytes.
    {"float8_e8m0fnu", "u8", DType::I8},
    {"float4_e2m1fn_x2", "u8", DType::I8},
};

std::string nameOfDtype(PyObject *dtype) {
  std::string text = py::str(py::handle(dtype));
  if (size_t dot = text.rfind('.'); dot != std::string::npos)
    text.erase(0, dot + 1);
  return text;
}

const Spelling *spellingNamed(std::string_view name) {
  for (const Spelling &row : spellings)
    if (row.name == name)
      return &row;
  return nullptr;
}

} // namespace

const ElementType *elementTypeNamed(std::string_view name) {
  static Lasting<std::deque<ElementType>> all;
  const Spelling *row = spellingNamed(name);
  if (!row)
    return nullptr;
  for (const ElementType &candidate : *all)
    if (candidate.spelling == row->spelling)
      return &candidate;
  return &all->emplace_back(ElementType{std::string(row->spelling), row->type, uint16_t(all->size())});
}

const ElementType &elementType(PyObject *dtype) {
  static Lasting<std::unordered_map<PyObject *, const ElementType *>> known;
  if (auto found = known->find(dtype); found != known->end())
    return *found->second;
  std::string name = nameOfDtype(dtype);
  if (const ElementType *element = elementTypeNamed(name)) {
    // Kept, so that its address is never reused.
    Py_INCREF(dtype);
    known->emplace(dtype, element);
    return *element;
  }
  throw py::type_error("no kernel can take elements of type '" + std::string(py::str(py::handle(dtype))) +
                       "'; the types are bool, int8..int64, uint8..uint64, float16, bfloat16, float32, "
                       "float64 and the 8-bit floats");
}

Slot parseSlot(std::string_view spelling) {
  if (spelling == "constexpr")
    return {};
  if (spelling.starts_with("*") || spelling == "nvTmaDesc")
    return {SlotKind::Pointer, 64};
  if (const Spelling *row = spellingNamed(spelling)) {
    switch (row->type) {
    case DType::I1:
      return {SlotKind::Bool, 1};
    case DType::F16:
      return {SlotKind::F16, 16};
    case DType::BF16:
      return {SlotKind::BF16, 16};
    case DType::F32:
      return {SlotKind::F32, 32};
    case DType::F64:
      return {SlotKind::F64, 64};
    default:
      if (isInteger(row->type))
        return {SlotKind::Int, uint8_t(facade::bitWidth(row->type)), !spelling.starts_with('u')};
      break;
    }
  }
  throw py::value_error("a signature cannot hold '" + std::string(spelling) +
                        "'; entries are *T, i1, i8..i64, u8..u64, fp16, bf16, fp32, fp64 and constexpr");
}

} // namespace trisect::python
