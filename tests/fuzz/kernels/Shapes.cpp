//===- Shapes.cpp - ops that move elements --------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <algorithm>

namespace trisect::fuzz {

namespace {
bool isBlock(const Value &value) { return !value.type.scalar(); }
bool isPlane(const Value &value) { return value.type.shape.size() > 1; }
bool isPair(const Value &value) {
  return !value.type.scalar() && value.type.shape.size() > 1 && value.type.shape.back() == 2;
}
std::string arrow(const Type &from, const Type &to) { return " : " + from.text() + " -> " + to.text(); }
} // namespace

void Generator::reshape() {
  Value value = any(isBlock, {anyInteger(), choices.pick(shapes)});
  int64_t all = value.type.elements();
  Shape shape;
  for (int64_t left = all; left > 1 && shape.size() < 2;) {
    int64_t extent = 1;
    while (extent < left && choices.chance(60))
      extent *= 2;
    shape.push_back(extent);
    left /= extent;
  }
  int64_t made = 1;
  for (int64_t extent : shape)
    made *= extent;
  shape.push_back(all / made);
  Type type = value.type.in(shape);
  make(type, value.open, "tt.reshape " + value.name + arrow(value.type, type));
}

void Generator::transpose() {
  Value value = any(isPlane, {anyInteger(), {8, 16}});
  std::vector<size_t> order(value.type.shape.size());
  for (size_t n = 0; n < order.size(); ++n)
    order[n] = order.size() - 1 - n;
  if (order.size() > 2 && choices.chance(60))
    std::swap(order[0], order[choices.below(2) + 1]);
  Shape shape;
  std::string text;
  for (size_t n : order) {
    shape.push_back(value.type.shape[n]);
    text += (text.empty() ? " " : ", ") + std::to_string(n);
  }
  Type type = value.type.in(shape);
  make(type, value.open,
       "tt.trans " + value.name + " {order = array<i32:" + text + ">}" + arrow(value.type, type));
}

/// A block with one more dimension, along which it repeats.
void Generator::expand() {
  Value value = any(isBlock, {anyInteger(), {16}});
  if (value.type.shape.size() > 2 || value.type.elements() > 512)
    value = leaf({anyInteger(), {16}});
  Shape shape = value.type.shape;
  auto axis = choices.below(static_cast<uint32_t>(shape.size() + 1));
  shape.insert(shape.begin() + axis, 1);
  Type grown = value.type.in(shape);
  Value unit = make(grown, value.open,
                    "tt.expand_dims " + value.name + " {axis = " + std::to_string(axis) + " : i32}" +
                        arrow(value.type, grown));
  int64_t room = 512 / std::max<int64_t>(grown.elements(), 1);
  int64_t times = int64_t(1) << choices.below(5);
  if (times > room || times == 1)
    return;
  shape[axis] = times;
  Type whole = grown.in(shape);
  make(whole, value.open, "tt.broadcast " + unit.name + arrow(grown, whole));
}

void Generator::joinOrSplit() {
  if (choices.chance(50)) {
    Value pair = any(isPair, {anyInteger(), {32, 2}});
    if (!isPair(pair))
      pair = leaf({anyInteger(), {32, 2}});
    Shape shape(pair.type.shape.begin(), pair.type.shape.end() - 1);
    Type type = pair.type.in(shape);
    std::string left = fresh(), right = fresh();
    line(left + ", " + right + " = tt.split " + pair.name + arrow(pair.type, type));
    keep({right, type, pair.open});
    keep({left, type, pair.open});
    return;
  }
  Value left = any(isBlock, {anyInteger(), {16}});
  if (left.type.elements() > 512 || left.type.shape.size() > 3)
    left = leaf({anyInteger(), {16}});
  Value right = need(left.type);
  Shape shape = left.type.shape;
  shape.push_back(2);
  Type type = left.type.in(shape);
  make(type, std::max(left.open, right.open),
       "tt.join " + left.name + ", " + right.name + arrow(left.type, type));
}

void Generator::gather() {
  Value value = any(isBlock, {anyInteger(), choices.pick(shapes)});
  auto axis = choices.below(static_cast<uint32_t>(value.type.shape.size()));
  Shape shape = value.type.shape;
  if (choices.chance(40))
    shape[axis] = std::max<int64_t>(shape[axis] / 2, 1);
  Type indexType{choices.pick({DType::I32, DType::I64, DType::I16}), shape};
  Value raw = need(indexType, Open::NanBits);
  Value last =
      splat({constant(indexType.element, value.type.shape[axis] - 1), {indexType.element, {}}, Open::Nothing},
            shape);
  std::string index = hidden("arith.andi " + raw.name + ", " + last.name + " : " + indexType.text());
  Type type = value.type.in(shape);
  make(type, value.open,
       "tt.gather " + value.name + "[" + index + "] {axis = " + std::to_string(axis) + " : i32} : (" +
           value.type.text() + ", " + indexType.text() + ") -> " + type.text());
}

void Generator::histogram() {
  Value raw = need({choices.pick({DType::I32, DType::I64, DType::I32}),
                    {choices.pick({int64_t(64), int64_t(16), int64_t(256)})}},
                   Open::NanBits);
  int64_t bins = int64_t(1) << choices.from(1, 6);
  Value last =
      splat({constant(raw.type.element, bins - 1), {raw.type.element, {}}, Open::Nothing}, raw.type.shape);
  std::string values = hidden("arith.andi " + raw.name + ", " + last.name + " : " + raw.type.text());
  Type type{DType::I32, {bins}};
  std::string mask;
  if (choices.chance(50))
    mask = ", " + need(raw.type.of(DType::I1), Open::NanBits).name;
  make(type, Open::Nothing, "tt.histogram " + values + mask + arrow(raw.type, type));
}

/// The only element of a block.
void Generator::single() {
  Value value = need({anyInteger(), choices.pick({Shape{1}, Shape{1, 1}})});
  make(value.type.in({}), value.open, "tt.unsplat " + value.name + " : " + value.type.text());
}

} // namespace trisect::fuzz
