//===- EigenProduct.cpp - Eigen's matrix product for one instruction set --------------------------------===//
//
// What: compiled twice with different -march flags; the namespace of Eigen is renamed each time, since both
// end up in one program.
//
//===----------------------------------------------------------------------------------------------------===//
#define Eigen TRISECT_EIGEN_NS
#include <Eigen/Core>

namespace trisect::interp::TRISECT_EIGEN_NS {

void product(const float *a, const float *b, float *d, int64_t n) {
  using Matrix = ::TRISECT_EIGEN_NS::Matrix<float, -1, -1, ::TRISECT_EIGEN_NS::RowMajor>;
  using View = ::TRISECT_EIGEN_NS::Map<const Matrix>;
  ::TRISECT_EIGEN_NS::Map<Matrix>(d, n, n).noalias() = View(a, n, n) * View(b, n, n);
}

} // namespace trisect::interp::TRISECT_EIGEN_NS
