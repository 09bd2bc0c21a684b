//===- Polynomial.cpp - sums of products of scalars -----------------------------------------------------===//
#include "core/analysis/Affine.h"
#include <algorithm>

using namespace mlir;

namespace trisect::tt {

namespace {
bool before(Value lhs, Value rhs) { return lhs.getAsOpaquePointer() < rhs.getAsOpaquePointer(); }
} // namespace

bool Polynomial::Less::operator()(const Product &lhs, const Product &rhs) const {
  return std::lexicographical_compare(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(), before);
}

Polynomial::Polynomial(int64_t constant) {
  if (constant)
    terms[{}] = constant;
}

Polynomial::Polynomial(Value scalar) { terms[{scalar}] = 1; }

std::optional<int64_t> Polynomial::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

Value Polynomial::scalar() const {
  if (terms.size() == 1 && terms.begin()->first.size() == 1 && terms.begin()->second == 1)
    return terms.begin()->first.front();
  return {};
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial sum = *this;
  for (const auto &[product, factor] : other.terms)
    if ((sum.terms[product] += factor) == 0)
      sum.terms.erase(product);
  return sum;
}

Polynomial Polynomial::operator-(const Polynomial &other) const { return *this + other * Polynomial(-1); }

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  for (const auto &[left, leftFactor] : terms)
    for (const auto &[right, rightFactor] : other.terms) {
      Product product(left);
      product.append(right.begin(), right.end());
      std::sort(product.begin(), product.end(), before);
      if ((result.terms[product] += leftFactor * rightFactor) == 0)
        result.terms.erase(product);
    }
  return result;
}

} // namespace trisect::tt
