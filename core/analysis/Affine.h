//===- Affine.h - blocks that are linear in their indices -----------------------------------------------===//
//
// What: an integer or address block as
//     base + start + sum over dimensions of index[d] * stride[d] + sum of block * factor
// where start, strides and factors are polynomials in scalars that the whole program has in common, and the
// blocks are indices that are read from memory or otherwise not linear. Masks come apart into bounds of such
// sums. Why: hardware that moves boxes, strided loops, and checks of bounds need base, indices, strides and
// bounds; every tier has the same question. Limits: holds for programs whose signed index arithmetic of 32
// bits or more does not wrap; looks at no branch; what a loop carries is taken for a scalar or a block of its
// own.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_ANALYSIS_AFFINE_H
#define TRISECT_CORE_ANALYSIS_AFFINE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <vector>

namespace trisect::tt {

/// A sum of products of scalars with integer factors. Scalars are integers of the program, seen as
/// mathematical ones.
class Polynomial {
public:
  /// Scalars of a product, ordered.
  using Product = llvm::SmallVector<mlir::Value, 2>;

  Polynomial() = default;
  Polynomial(int64_t constant);
  explicit Polynomial(mlir::Value scalar);

  bool isZero() const { return terms.empty(); }
  /// The number, if no scalar is in it.
  std::optional<int64_t> constant() const;
  /// The scalar, if it is one and nothing else.
  mlir::Value scalar() const;
  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const;
  Polynomial operator*(const Polynomial &other) const;
  bool operator==(const Polynomial &other) const = default;

  /// Each product with its factor, in an order that depends on the run.
  template <typename Visit> void forTerms(Visit visit) const {
    for (const auto &[product, factor] : terms)
      visit(llvm::ArrayRef<mlir::Value>(product), factor);
  }

private:
  struct Less {
    bool operator()(const Product &lhs, const Product &rhs) const;
  };
  std::map<Product, int64_t, Less> terms; ///< no factor is zero
};

struct AffineBlock {
  /// A block that is not linear, in the dimensions `dims` of the whole: element [i of dims[0], ...] counts.
  struct Indirect {
    mlir::Value block;
    llvm::SmallVector<int64_t, 4> dims;
    Polynomial factor;
    bool operator==(const Indirect &) const = default;
  };

  /// The pointer that addresses start from; null for integers. Everything else counts bytes then.
  mlir::Value base;
  Polynomial start;
  /// One for each dimension.
  llvm::SmallVector<Polynomial, 4> strides;
  std::vector<Indirect> indirect;

  bool isLinear() const { return indirect.empty(); }
};

/// The sum that a scalar or block of integers or pointers is; every value is one, if only a block of its own.
AffineBlock affineOf(mlir::Value value);

/// One comparison of a mask: `index < bound` holds for every active element, both linear.
struct AffineBound {
  AffineBlock index;
  /// One past the greatest value; where `below` is false, the least value.
  Polynomial limit;
  bool below = true;
};

/// The bounds that a mask is the conjunction of; nothing if there is something else in it. No mask has none.
std::optional<std::vector<AffineBound>> boundsOfMask(mlir::Value mask);

} // namespace trisect::tt

#endif // TRISECT_CORE_ANALYSIS_AFFINE_H
