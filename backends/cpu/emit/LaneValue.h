//===- LaneValue.h - one value over the lanes of a chunk ------------------------------------------------===//
//
// What: how a block value looks to the code of one chunk of lanes: the same for all (Uniform), a start and a
// step (Strided), or anything (Vector). Arithmetic keeps the simplest form. Why: ranges, splats and addresses
// stay scalars, so that loads become vector loads and not gathers, and nothing of them is ever stored.
// Beside a narrow integer its value in 64 bits is kept where no step to it wraps: an address that is made of
// it costs no extension, and a loop may count it up. Limits: a start and a step count modulo 2^width, as the
// lanes do; resizeLanes() to a wider type is right only where no lane of the chunk wraps (Widenings.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_LANEVALUE_H
#define TRISECT_BACKENDS_CPU_EMIT_LANEVALUE_H

#include "backends/cpu/emit/Code.h"

namespace trisect::cpu {

struct LaneValue {
  enum class Kind : uint8_t { Uniform, Strided, Vector };
  Kind kind = Kind::Uniform;
  mlir::Value value;  ///< Uniform: the scalar; Strided: lane 0; Vector: the vector
  mlir::Value stride; ///< Strided: the step from lane to lane, of value's type
  unsigned level = 0; ///< the innermost loop of the nest that it depends on; 0: none
  int64_t span = 0;   ///< of a position: elements of the dimensions that it goes through as one (Index.h)
  /// Of a narrow integer: an i64 that equals `value`, made without it; or null.
  mlir::Value wide = {};

  static LaneValue uniform(mlir::Value value) { return {Kind::Uniform, value, {}}; }
  static LaneValue strided(mlir::Value start, mlir::Value step) { return {Kind::Strided, start, step}; }
  /// A vector, or a scalar of a one-lane chunk.
  static LaneValue lanes(mlir::Value value) {
    return {mlir::isa<mlir::VectorType>(value.getType()) ? Kind::Vector : Kind::Uniform, value, {}};
  }

  bool isUniform() const { return kind == Kind::Uniform; }
  bool isStrided() const { return kind == Kind::Strided; }
  bool isVector() const { return kind == Kind::Vector; }
  mlir::Type element() const { return elementOf(value.getType()); }
  explicit operator bool() const { return static_cast<bool>(value); }
};

/// All lanes of `v` as a vector (a scalar for one lane).
mlir::Value toVector(Code &code, const LaneValue &v, unsigned lanes);

/// Integer arithmetic that keeps structure.
LaneValue addLanes(Code &code, const LaneValue &a, const LaneValue &b, unsigned lanes);
LaneValue subLanes(Code &code, const LaneValue &a, const LaneValue &b, unsigned lanes);
LaneValue mulLanes(Code &code, const LaneValue &a, const LaneValue &b, unsigned lanes);
/// The value, or its first lane, as an i64, if that is known without wrapping lanes; else null.
mlir::Value wideOf(Code &code, const LaneValue &v);
/// Sign-extends or truncates to `element`; no lane may wrap in the type that is widened.
LaneValue resizeLanes(Code &code, const LaneValue &v, mlir::Type element);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_LANEVALUE_H
