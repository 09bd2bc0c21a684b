//===- InPlace.h - programs that run alone on the caller's memory ---------------------------------------===//
//
// What: the compiled form runs on memory as it is; what it changed in the tensors, on the pages that tier 0
// touched, is put back. Why: memory of a device cannot be had twice, and pointers that lie in memory lead to
// the caller's. Limits: only bytes that changed are put back, since other threads may write beside them;
// bytes outside of the tensors that tier 0 did not write are left alone for the same reason.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_INPLACE_H
#define TRISECT_JIT_CHECK_INPLACE_H

#include "backends/target/Memory.h"
#include "jit/check/Ground.h"

namespace trisect::jit {

class InPlace final : public Ground {
public:
  InPlace(PageImages pages, const LaunchRequest &request, MemorySpace &memory);
  const LaunchRequest &request() const override { return launch; }
  void collect() override;
  const PageImages &pages() const override { return images; }
  void restore() override;
  void putBack() override;
  bool isCopy() const override { return false; }
  bool provide(uint64_t) override { return false; }

private:
  PageImages images;
  std::vector<std::unique_ptr<PageImage::Bytes>> changed; ///< of each image; null: as before
  const LaunchRequest &launch;
  MemorySpace &memory;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_INPLACE_H
