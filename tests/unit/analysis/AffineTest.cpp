//===- AffineTest.cpp - sums of indices are what programs compute ---------------------------------------===//
//
// Random programs run on numbers; every integer, address and mask is held against the sum or the bounds that
// are claimed of it, with the numbers of that run put in.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/analysis/Affine.h"
#include "Evaluate.h"
#include "RandomModule.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/ir/TypeUtils.h"
#include <gtest/gtest.h>

using namespace mlir;

namespace trisect::tt {

namespace {
using Seen = llvm::DenseMap<Value, Elements>;

int64_t valueOf(const Polynomial &polynomial, const Seen &seen) {
  int64_t sum = 0;
  polynomial.forTerms([&](ArrayRef<Value> product, int64_t factor) {
    for (Value scalar : product)
      factor *= seen.lookup(scalar).at(0);
    sum += factor;
  });
  return sum;
}

SmallVector<int64_t> indicesOf(int64_t number, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> indices(shape.size());
  for (size_t dim = shape.size(); dim-- > 0; number /= shape[dim])
    indices[dim] = number % shape[dim];
  return indices;
}

int64_t valueAt(const AffineBlock &block, ArrayRef<int64_t> indices, const Seen &seen) {
  int64_t sum = valueOf(block.start, seen) + (block.base ? seen.lookup(block.base).at(0) : 0);
  for (auto [index, stride] : llvm::zip(indices, block.strides))
    sum += index * valueOf(stride, seen);
  for (const AffineBlock::Indirect &part : block.indirect) {
    int64_t at = 0;
    for (auto [dim, size] : llvm::zip(part.dims, shapeOf(part.block.getType())))
      at = at * size + (size == 1 ? 0 : indices[dim]);
    sum += valueOf(part.factor, seen) * seen.lookup(part.block).at(at);
  }
  return sum;
}

struct Counts {
  size_t values = 0, linear = 0, masks = 0;
};

void check(Value value, const Elements &elements, const Seen &seen, Counts &counts) {
  ArrayRef<int64_t> shape = shapeOf(value.getType());
  if (isBoolLike(value.getType())) {
    auto bounds = boundsOfMask(value);
    counts.masks += bounds && !bounds->empty();
    for (auto [number, element] : llvm::enumerate(elements)) {
      bool inside = true;
      for (const AffineBound &bound : bounds ? *bounds : std::vector<AffineBound>()) {
        int64_t index = valueAt(bound.index, indicesOf(number, shape), seen),
                limit = valueOf(bound.limit, seen);
        inside &= bound.below ? index < limit : index >= limit;
      }
      if (bounds)
        ASSERT_EQ(inside, element != 0);
    }
    return;
  }
  AffineBlock block = affineOf(value);
  ++counts.values;
  counts.linear += block.isLinear();
  for (auto [number, element] : llvm::enumerate(elements))
    ASSERT_EQ(valueAt(block, indicesOf(number, shape), seen), element);
}

TEST(Affine, SumsHoldInRandomPrograms) {
  MLIRContext context;
  loadDialects(context);
  Counts counts;
  for (uint64_t seed = 0; seed < 1000 && !::testing::Test::HasFailure(); ++seed) {
    OwningOpRef<ModuleOp> program = makeRandomModule(context, seed);
    auto func = *program->getOps<FuncOp>().begin();
    SmallVector<int64_t> arguments = {1024, 24, -7, -1};
    Seen seen;
    for (auto [argument, value] : llvm::zip(func.getArguments(), arguments))
      seen[argument] = {value};
    evaluate(func, arguments, 5, [&](Value value, const Elements &elements) {
      seen[value] = elements;
      if (isIntLike(value.getType()) || isPtrLike(value.getType()))
        check(value, elements, seen, counts);
      if (::testing::Test::HasFailure()) {
        std::string text;
        llvm::raw_string_ostream(text) << value << "\n" << *program;
        ADD_FAILURE() << "seed " << seed << ": " << text;
      }
    });
  }
  EXPECT_GT(counts.values, 10000u);
  EXPECT_GT(counts.linear, counts.values / 3);
  EXPECT_GT(counts.masks, 100u);
}

/// The address of the only load of a kernel.
constexpr const char *kRows = R"(
tt.func public @rows(%base: !tt.ptr<f32>, %index: tensor<8x!tt.ptr<i32>>, %row: i32, %n: i32, %stride: i32) {
  %four = arith.constant dense<4> : tensor<1x4xi32>
  %range = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32>
  %starts = tt.splat %row : i32 -> tensor<8xi32>
  %rows = arith.addi %starts, %range : tensor<8xi32>
  %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<8xi32> -> tensor<8x1xi32>
  %strides = tt.splat %stride : i32 -> tensor<8x1xi32>
  %offsets = arith.muli %rows2, %strides : tensor<8x1xi32>
  %offsets2 = tt.broadcast %offsets : tensor<8x1xi32> -> tensor<8x4xi32>
  %columns = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
  %columns2 = tt.expand_dims %columns {axis = 0 : i32} : tensor<4xi32> -> tensor<1x4xi32>
  %columns3 = tt.broadcast %columns2 : tensor<1x4xi32> -> tensor<8x4xi32>
  %at = arith.addi %offsets2, %columns3 : tensor<8x4xi32>
  %bases = tt.splat %base : !tt.ptr<f32> -> tensor<8x4x!tt.ptr<f32>>
  %from = tt.addptr %bases, %at : tensor<8x4x!tt.ptr<f32>>, tensor<8x4xi32>
  %inside = arith.cmpi slt, %columns2, %four : tensor<1x4xi32>
  %inside2 = tt.broadcast %inside : tensor<1x4xi1> -> tensor<8x4xi1>
  %ns = tt.splat %n : i32 -> tensor<8x1xi32>
  %above = arith.cmpi sgt, %ns, %rows2 : tensor<8x1xi32>
  %above2 = tt.broadcast %above : tensor<8x1xi1> -> tensor<8x4xi1>
  %mask = arith.andi %inside2, %above2 : tensor<8x4xi1>
  %value = tt.load %from, %mask : tensor<8x4x!tt.ptr<f32>>
  tt.print "v: " {hex = false, isSigned = array<i32: 0>} : %value : tensor<8x4xf32>
  tt.return
}
)";

TEST(Affine, ABlockOfAMatrix) {
  MLIRContext context;
  loadDialects(context);
  OwningOpRef<ModuleOp> module = parseModule(kRows, "rows", context);
  auto func = *module->getOps<FuncOp>().begin();
  LoadOp load = *func.getOps<LoadOp>().begin();
  Value row = func.getArgument(2), n = func.getArgument(3), stride = func.getArgument(4);
  AffineBlock address = affineOf(load.getPtr());
  EXPECT_EQ(address.base, func.getArgument(0));
  EXPECT_TRUE(address.isLinear());
  EXPECT_EQ(address.strides[0], Polynomial(stride) * 4);
  EXPECT_EQ(address.strides[1].constant(), 4);
  EXPECT_EQ(address.start, Polynomial(row) * Polynomial(stride) * 4);

  auto bounds = boundsOfMask(load.getMask());
  ASSERT_TRUE(bounds);
  ASSERT_EQ(bounds->size(), 2u);
  EXPECT_EQ((*bounds)[0].limit.constant(), 4);
  EXPECT_EQ((*bounds)[0].index.strides[1].constant(), 1);
  EXPECT_EQ((*bounds)[1].limit.scalar(), n);
  EXPECT_EQ((*bounds)[1].index.start.scalar(), row);
  EXPECT_TRUE((*bounds)[1].below);
}

TEST(Affine, PolynomialsAreSums) {
  MLIRContext context;
  loadDialects(context);
  OwningOpRef<ModuleOp> module = parseModule(kRows, "rows", context);
  auto func = *module->getOps<FuncOp>().begin();
  Polynomial x(func.getArgument(2)), y(func.getArgument(3));
  EXPECT_TRUE((x - x).isZero());
  EXPECT_EQ(x * y, y * x);
  EXPECT_EQ((x + y) * (x - y), x * x - y * y);
  EXPECT_EQ(Polynomial(3).constant(), 3);
  EXPECT_EQ(Polynomial(0).constant(), 0);
  EXPECT_FALSE(x.constant());
  EXPECT_FALSE((x + x).scalar());
}

} // namespace
} // namespace trisect::tt
