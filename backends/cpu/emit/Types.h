//===- Types.h - how TTIR element types look in emitted code --------------------------------------------===//
//
// What: the emitted type of a TTIR element, its size in memory, and conversions between float formats.
// Why: LLVM has no 8-bit floats and would flush bf16 denormals, so that both travel as their bits: bf16 as
// i16, 8-bit floats as i8, addresses as i64. f16, f32 and f64 are LLVM's own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_TYPES_H
#define TRISECT_BACKENDS_CPU_EMIT_TYPES_H

#include "backends/cpu/emit/Code.h"
#include "core/support/DType.h"

namespace trisect::cpu {

/// The element type of a TTIR scalar or tensor type.
mlir::Type ttElement(mlir::Type type);
/// The shape of a tensor type, empty for scalars.
llvm::ArrayRef<int64_t> ttShape(mlir::Type type);
/// The element type pointed at by a pointer or by a tensor of pointers.
mlir::Type pointee(mlir::Type type);

/// The type of one element in emitted code.
mlir::Type emittedType(mlir::Type element);
/// The type in memory: i1 lies in a byte.
mlir::Type memoryType(mlir::Type element);
/// Bytes in memory.
unsigned memoryBytes(mlir::Type element);
/// The name table's type; throws Unsupported for types that TTIR does not have.
DType dtypeOf(mlir::Type element);
/// True for formats that arithmetic widens to f32 first: f16, bf16, 8-bit floats.
bool isNarrowFloat(mlir::Type element);

enum class Rounding : uint8_t { ToZero, NearestEven };
/// Converts emitted bits of format `from` to format `to`, both TTIR float types.
mlir::Value convertFloat(Code &code, mlir::Value value, mlir::Type from, mlir::Type to,
                         Rounding rounding = Rounding::NearestEven);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_TYPES_H
