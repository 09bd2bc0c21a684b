//===- Products.cpp - dot and dot_scaled ----------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"
#include <algorithm>

namespace trisect::fuzz {

void Generator::product() {
  struct Kind {
    DType factor, sum;
  };
  static constexpr Kind kinds[] = {{DType::I8, DType::I32},     {DType::F32, DType::F32},
                                   {DType::F16, DType::F32},    {DType::F16, DType::F16},
                                   {DType::BF16, DType::F32},   {DType::F64, DType::F64},
                                   {DType::F8E5M2, DType::F32}, {DType::F8E4M3FN, DType::F32}};
  const Kind kind = choices.pick(kinds);
  auto extent = [&] {
    return choices.pick({int64_t(16), int64_t(8), int64_t(4), int64_t(32), int64_t(2), int64_t(1)});
  };
  int64_t m = extent(), n = extent(), k = extent();
  Shape batch;
  if (choices.chance(15))
    batch = {2};
  auto shape = [&](int64_t rows, int64_t columns) {
    Shape all = batch;
    all.push_back(rows);
    all.push_back(columns);
    return all;
  };
  Value a = need({kind.factor, shape(m, k)}), b = need({kind.factor, shape(k, n)}),
        c = need({kind.sum, shape(m, n)});
  std::string precision;
  if (kind.factor == DType::F32)
    precision = std::string(", inputPrecision = ") +
                choices.pick({"ieee", "ieee", "tf32", "tf32x3", "bf16x3", "bf16x6"});
  bool blocks = kind.factor == DType::BF16 && choices.chance(50);
  if (blocks)
    precision = ", inputPrecision = blocks";
  Open own = kind.sum == DType::I32 ? Open::Nothing : Open::NanBits;
  if (blocks) // tile registers lose subnormals
    own = Open::Value;
  Open open = std::max({a.open, b.open, c.open, own});
  make(c.type, open,
       "tt.dot " + a.name + ", " + b.name + ", " + c.name + precision + " : " + a.type.text() + " * " +
           b.type.text() + " -> " + c.type.text());
}

void Generator::scaledProduct() {
  struct Format {
    const char *name;
    DType carrier;
    int64_t packed; ///< elements in one of the carrier
  };
  static constexpr Format formats[] = {{"e4m3", DType::F8E4M3FN, 1},
                                       {"e5m2", DType::F8E5M2, 1},
                                       {"e2m1", DType::I8, 2},
                                       {"bf16", DType::BF16, 1},
                                       {"fp16", DType::F16, 1}};
  const Format &left = choices.pick(formats), &right = choices.pick(formats);
  int64_t m = choices.pick({int64_t(16), int64_t(4)}), n = choices.pick({int64_t(16), int64_t(8)}),
          k = choices.pick({int64_t(32), int64_t(64)});
  Value a = need({left.carrier, {m, k / left.packed}}), b = need({right.carrier, {k / right.packed, n}});
  Value c = need({DType::F32, {m, n}});
  Open open = std::max({a.open, b.open, c.open, Open::NanBits});
  Value scale = need({DType::I8, {m, k / 32}});
  make(c.type, std::max(open, scale.open),
       "tt.dot_scaled " + a.name + " scale " + scale.name + ", " + b.name + ", " + c.name +
           " lhs = " + left.name + " rhs = " + right.name + " {fastMath = false} : " + a.type.text() + ", " +
           scale.type.text() + " * " + b.type.text() + " -> " + c.type.text());
}

} // namespace trisect::fuzz
