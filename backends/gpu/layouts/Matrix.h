//===- Matrix.h - a matrix over the field of two elements -----------------------------------------------===//
//
// What: columns of at most 64 bits; addition is XOR. Rank, image, kernel, inverse, and the subspaces that
// layouts are compared by. Why: a layout is such a matrix, and what one asks of layouts is linear algebra.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_GPU_LAYOUTS_MATRIX_H
#define TRISECT_BACKENDS_GPU_LAYOUTS_MATRIX_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace trisect::gpu {

/// A column vector: bit i is its i-th row.
using Column = uint64_t;

struct Matrix {
  std::vector<Column> columns;

  size_t size() const { return columns.size(); }
  /// The product with a vector whose bit i stands for column i.
  Column times(Column input) const;
  /// The matrix that applies `first`, then this.
  Matrix after(const Matrix &first) const;
  static Matrix identity(size_t size);
  bool operator==(const Matrix &) const = default;
};

/// A set of independent vectors, grown one by one, that remembers how each vector was made.
class Span {
public:
  Span() = default;
  explicit Span(const std::vector<Column> &vectors) {
    for (Column vector : vectors)
      add(vector);
  }
  /// Adds a vector; false if it was in the span already. Either way it takes the next index.
  bool add(Column vector);
  bool contains(Column vector) const { return reduce(vector).rest == 0; }
  size_t dimension() const { return rows.size(); }
  /// Which of the added vectors (bit i: the i-th) sum to this one; only independent ones are used.
  std::optional<Column> combination(Column vector) const;

private:
  struct Row {
    Column value;
    Column made; ///< added vectors that sum to value
  };
  struct Reduced {
    Column rest;
    Column made;
  };
  Reduced reduce(Column vector) const;

  std::vector<Row> rows; ///< leading bits differ and descend
  size_t added = 0;
};

/// Indices of the columns that depend on columns before them, as a mask.
Column dependentColumns(const Matrix &matrix);
/// A basis of the vectors that the matrix maps to zero.
std::vector<Column> kernelOf(const Matrix &matrix);
/// A matrix P with `matrix * P * matrix == matrix` that uses the earliest independent columns; its rows are
/// the inputs of `matrix`. `rows` is the number of rows of `matrix`; a row outside the image has a zero
/// column.
Matrix pseudoInverse(const Matrix &matrix, size_t rows);
/// A basis of the vectors that lie in both spans.
std::vector<Column> intersection(const std::vector<Column> &lhs, const std::vector<Column> &rhs);
/// The X with `X * from == to`, where X has `rows` columns, if there is one; zero outside the image of
/// `from`.
std::optional<Matrix> factor(const Matrix &from, const Matrix &to, size_t rows);

} // namespace trisect::gpu

#endif // TRISECT_BACKENDS_GPU_LAYOUTS_MATRIX_H
