//===- Matrix.cpp - linear algebra over the field of two elements ---------------------------------------===//
#include "backends/gpu/layouts/Matrix.h"
#include <algorithm>
#include <bit>

namespace trisect::gpu {

Column Matrix::times(Column input) const {
  Column sum = 0;
  for (; input; input &= input - 1)
    sum ^= columns[std::countr_zero(input)];
  return sum;
}

Matrix Matrix::after(const Matrix &first) const {
  Matrix result;
  for (Column column : first.columns)
    result.columns.push_back(times(column));
  return result;
}

Matrix Matrix::identity(size_t size) {
  Matrix result;
  for (size_t index = 0; index < size; ++index)
    result.columns.push_back(Column(1) << index);
  return result;
}

Span::Reduced Span::reduce(Column vector) const {
  Column made = 0;
  for (const Row &row : rows)
    if (vector & std::bit_floor(row.value)) {
      vector ^= row.value;
      made ^= row.made;
    }
  return {vector, made};
}

bool Span::add(Column vector) {
  Reduced reduced = reduce(vector);
  Column own = Column(1) << added++;
  if (reduced.rest == 0)
    return false;
  Row row{reduced.rest, reduced.made | own};
  rows.insert(std::upper_bound(rows.begin(), rows.end(), row,
                               [](const Row &lhs, const Row &rhs) { return lhs.value > rhs.value; }),
              row);
  return true;
}

std::optional<Column> Span::combination(Column vector) const {
  Reduced reduced = reduce(vector);
  if (reduced.rest)
    return std::nullopt;
  return reduced.made;
}

Column dependentColumns(const Matrix &matrix) {
  Span span;
  Column dependent = 0;
  for (size_t index = 0; index < matrix.size(); ++index)
    if (!span.add(matrix.columns[index]))
      dependent |= Column(1) << index;
  return dependent;
}

std::vector<Column> kernelOf(const Matrix &matrix) {
  Span span;
  std::vector<Column> kernel;
  for (size_t index = 0; index < matrix.size(); ++index) {
    std::optional<Column> sum = span.combination(matrix.columns[index]);
    if (sum)
      kernel.push_back(*sum | Column(1) << index);
    span.add(matrix.columns[index]);
  }
  return kernel;
}

Matrix pseudoInverse(const Matrix &matrix, size_t rows) {
  // Unit vectors complete the image to the whole space; they go to zero.
  Span span(matrix.columns);
  for (size_t row = 0; row < rows; ++row)
    span.add(Column(1) << row);
  Column inputs = matrix.size() == 64 ? ~Column(0) : (Column(1) << matrix.size()) - 1;
  Matrix inverse;
  for (size_t row = 0; row < rows; ++row)
    inverse.columns.push_back(*span.combination(Column(1) << row) & inputs);
  return inverse;
}

std::vector<Column> intersection(const std::vector<Column> &lhs, const std::vector<Column> &rhs) {
  // A dependency between both sets names a vector that either set can make.
  std::vector<Column> basis;
  Span left(lhs), joined(lhs), found;
  Matrix columns{lhs};
  Column own = lhs.size() == 64 ? ~Column(0) : (Column(1) << lhs.size()) - 1;
  for (Column vector : rhs) {
    if (std::optional<Column> sum = joined.combination(vector)) {
      Column common = columns.times(*sum & own);
      if (found.add(common))
        basis.push_back(common);
    }
    joined.add(vector);
  }
  return basis;
}

std::optional<Matrix> factor(const Matrix &from, const Matrix &to, size_t rows) {
  for (Column zero : kernelOf(from))
    if (to.times(zero))
      return std::nullopt;
  return to.after(pseudoInverse(from, rows));
}

} // namespace trisect::gpu
