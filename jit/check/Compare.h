//===- Compare.h - bytes that two tiers left ------------------------------------------------------------===//
//
// What: compares pages element by element and finds the first difference and its kind. Why: a pure function
// over bytes and extents: it reads no memory of a kernel, so that it serves every device and every way of
// running. Limits: an element that is not aligned within its tensor, or reaches into another page, is
// compared byte by byte.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_COMPARE_H
#define TRISECT_JIT_CHECK_COMPARE_H

#include "core/support/Launch.h"
#include "interp/memory/Extent.h"
#include "jit/check/Legality.h"
#include "jit/check/Verdict.h"
#include <span>

namespace trisect::jit {

/// The tensors of a launch, to name elements by.
class Tensors {
public:
  explicit Tensors(std::span<const TensorView> views);

  struct Element {
    const TensorView *view = nullptr; ///< null: no tensor is there
    const interp::Extent *extent = nullptr;
    DType type = DType::I8;
    uint64_t address = 0; ///< where it begins

    /// Its bits as its tensor's values are shown.
    std::string text(uint64_t bits) const;
  };
  /// The element that holds a byte. Where tensors of several types lie above one another it has no type but
  /// its bytes: only one of them is what the kernel wrote.
  Element at(uint64_t address) const;

private:
  std::span<const TensorView> views;
  std::vector<interp::Extent> extents;
};

/// One page three times: what tier 0 leaves, where it wrote, what the other tier left.
struct PageBytes {
  uint64_t address = 0;
  std::span<const uint8_t> expected, written, found;
};

/// Adds what is compared and what differs to a verdict; its kind is left to others. With `legality` elements
/// that may differ do not count as differing.
void compare(const PageBytes &page, const Tensors &tensors, const Legality *legality, Verdict &verdict);

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_COMPARE_H
