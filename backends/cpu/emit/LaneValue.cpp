//===- LaneValue.cpp - arithmetic that keeps structure --------------------------------------------------===//
#include "backends/cpu/emit/LaneValue.h"

using namespace mlir;

namespace trisect::cpu {

namespace {
bool affine(const LaneValue &v) { return !v.isVector(); }

// The step of an affine value, zero for a uniform one.
Value stepOf(Code &code, const LaneValue &v) {
  return v.isStrided() ? v.stride : code.zero(v.value.getType());
}

LaneValue affineOrUniform(Value start, Value step) {
  return constantOf(step) == 0 ? LaneValue::uniform(start) : LaneValue::strided(start, step);
}
} // namespace

Value toVector(Code &code, const LaneValue &v, unsigned lanes) {
  switch (v.kind) {
  case LaneValue::Kind::Vector:
    return v.value;
  case LaneValue::Kind::Uniform:
    return code.splat(v.value, lanes);
  case LaneValue::Kind::Strided:
    Value steps = code.mul(code.splat(v.stride, lanes), code.iota(v.element(), lanes));
    return code.add(code.splat(v.value, lanes), steps);
  }
  return {};
}

LaneValue addLanes(Code &code, const LaneValue &a, const LaneValue &b, unsigned lanes) {
  if (a.isUniform() && b.isUniform())
    return LaneValue::uniform(code.add(a.value, b.value));
  if (affine(a) && affine(b))
    return affineOrUniform(code.add(a.value, b.value), code.add(stepOf(code, a), stepOf(code, b)));
  return LaneValue::lanes(code.add(toVector(code, a, lanes), toVector(code, b, lanes)));
}

LaneValue subLanes(Code &code, const LaneValue &a, const LaneValue &b, unsigned lanes) {
  if (a.isUniform() && b.isUniform())
    return LaneValue::uniform(code.sub(a.value, b.value));
  if (affine(a) && affine(b))
    return affineOrUniform(code.sub(a.value, b.value), code.sub(stepOf(code, a), stepOf(code, b)));
  return LaneValue::lanes(code.sub(toVector(code, a, lanes), toVector(code, b, lanes)));
}

LaneValue mulLanes(Code &code, const LaneValue &a, const LaneValue &b, unsigned lanes) {
  if (a.isUniform() && b.isUniform())
    return LaneValue::uniform(code.mul(a.value, b.value));
  if (b.isUniform() && affine(a))
    return affineOrUniform(code.mul(a.value, b.value), code.mul(stepOf(code, a), b.value));
  if (a.isUniform() && affine(b))
    return mulLanes(code, b, a, lanes);
  return LaneValue::lanes(code.mul(toVector(code, a, lanes), toVector(code, b, lanes)));
}

Value wideOf(Code &code, const LaneValue &v) {
  if (v.wide || !v.isUniform())
    return v.wide;
  return code.sext(v.value, code.i64());
}

LaneValue resizeLanes(Code &code, const LaneValue &v, Type element) {
  LaneValue result = v;
  result.value = v.wide && element == code.i64() ? v.wide : code.resize(v.value, element);
  result.wide = {};
  if (v.isStrided())
    result.stride = code.resize(v.stride, element);
  return result;
}

} // namespace trisect::cpu
