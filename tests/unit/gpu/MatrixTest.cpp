//===- MatrixTest.cpp - linear algebra over two elements, against brute force ---------------------------===//
#include "backends/gpu/layouts/Matrix.h"
#include <gtest/gtest.h>
#include <set>

using namespace trisect::gpu;

namespace {
constexpr unsigned kRows = 3;

/// Every matrix of three rows and up to four columns.
template <typename Visit> void forMatrices(Visit visit) {
  for (unsigned count = 0; count <= 4; ++count)
    for (uint32_t choice = 0; choice < 1U << (kRows * count); ++choice) {
      Matrix matrix;
      for (unsigned column = 0; column < count; ++column)
        matrix.columns.push_back(choice >> (kRows * column) & 7);
      visit(matrix);
    }
}

std::set<Column> image(const Matrix &matrix) {
  std::set<Column> vectors;
  for (Column input = 0; input < Column(1) << matrix.size(); ++input)
    vectors.insert(matrix.times(input));
  return vectors;
}
} // namespace

TEST(Matrix, SpanIsTheImage) {
  forMatrices([](const Matrix &matrix) {
    Span span(matrix.columns);
    std::set<Column> vectors = image(matrix);
    EXPECT_EQ(vectors.size(), size_t(1) << span.dimension());
    for (Column vector = 0; vector < 8; ++vector) {
      ASSERT_EQ(span.contains(vector), vectors.contains(vector));
      if (std::optional<Column> sum = span.combination(vector))
        ASSERT_EQ(matrix.times(*sum), vector);
    }
  });
}

TEST(Matrix, KernelIsWhatGoesToZero) {
  forMatrices([](const Matrix &matrix) {
    Span kernel(kernelOf(matrix));
    EXPECT_EQ(kernel.dimension(), kernelOf(matrix).size());
    for (Column input = 0; input < Column(1) << matrix.size(); ++input)
      ASSERT_EQ(matrix.times(input) == 0, kernel.contains(input));
  });
}

TEST(Matrix, PseudoInverseFindsTheFirstHolder) {
  forMatrices([](const Matrix &matrix) {
    Matrix inverse = pseudoInverse(matrix, kRows);
    ASSERT_EQ(inverse.size(), kRows);
    for (Column vector : image(matrix)) {
      ASSERT_EQ(matrix.times(inverse.times(vector)), vector);
      ASSERT_EQ(inverse.times(vector) & dependentColumns(matrix), 0U);
    }
  });
}

TEST(Matrix, IntersectionIsCommon) {
  std::vector<Matrix> all;
  forMatrices([&](const Matrix &matrix) {
    if (matrix.size() == 2)
      all.push_back(matrix);
  });
  for (const Matrix &lhs : all)
    for (const Matrix &rhs : all) {
      std::vector<Column> basis = intersection(lhs.columns, rhs.columns);
      Span common(basis);
      ASSERT_EQ(common.dimension(), basis.size());
      for (Column vector = 0; vector < 8; ++vector)
        ASSERT_EQ(common.contains(vector), image(lhs).contains(vector) && image(rhs).contains(vector));
    }
}

TEST(Matrix, FactorSolves) {
  std::vector<Matrix> all;
  forMatrices([&](const Matrix &matrix) {
    if (matrix.size() == 2)
      all.push_back(matrix);
  });
  for (const Matrix &from : all)
    for (const Matrix &to : all) {
      std::optional<Matrix> solution = factor(from, to, kRows);
      bool possible = true;
      for (Column input = 0; input < 4; ++input)
        possible &= from.times(input) != 0 || to.times(input) == 0;
      ASSERT_EQ(solution.has_value(), possible);
      if (solution)
        ASSERT_EQ(solution->after(from), to);
    }
}
