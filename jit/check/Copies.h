//===- Copies.h - programs that run alone on copies of host memory --------------------------------------===//
//
// What: address space of its own in which the tensors of a launch lie as they lie for the caller, but only
// the pages that tier 0 touched are there, as copies; pointer arguments and descriptors are moved there. What
// lies behind arguments that are only written is inverted where tier 0 does not write. Why: a store that goes
// astray hits a copy or nothing at all, harms nobody, and is seen even if it writes what was there before.
// The space serves one program after another: a page that the next one touches too is not copied again.
// Limits: host memory, and kernels that reach memory only through their arguments; addresses but for
// their low 12 bits, and the distance between tensors that lie far apart, are others than the caller's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_COPIES_H
#define TRISECT_JIT_CHECK_COPIES_H

#include "interp/memory/Extent.h"
#include "jit/check/Ground.h"
#include "jit/kernel/Kernel.h"
#include <memory>

namespace trisect::jit {

class Copies final : public Ground {
public:
  /// Takes the pages; `inverts` what nothing reads. Null, and the pages stay, if they lie too far from every
  /// argument or the process may not have so much address space.
  static std::unique_ptr<Copies> create(const Kernel &kernel, PageImages &pages, const LaunchRequest &request,
                                        bool inverts);
  /// Takes the pages of the next programs in place of the present ones, which were restored; both are of one
  /// snapshot. False, and the pages stay, if that is impossible here; then this has come to its end.
  bool take(PageImages &pages);
  ~Copies() override;
  Copies(const Copies &) = delete;
  Copies &operator=(const Copies &) = delete;

  const LaunchRequest &request() const override { return moved; }
  void collect() override;
  const PageImages &pages() const override { return images; }
  void restore() override;
  bool isCopy() const override { return true; }
  bool provide(uint64_t address) override;

private:
  /// Memory of the caller that keeps its form.
  struct Cluster {
    uint64_t low, high; ///< whole pages
    uint64_t at = 0;    ///< where `low` lies in the copy
  };

  /// A page that is there.
  struct Held {
    uint64_t address;
    const uint8_t *bytes; ///< what it holds, of the snapshot; null: something else
  };

  explicit Copies(const LaunchRequest &request) : moved(request) {}
  bool place(const Kernel &kernel, const PageImages &pages);
  bool reserve();
  void moveArguments(const Kernel &kernel);
  void findUnread(const Kernel &kernel);
  void invertUnread(PageImage &page) const;
  bool protect(const std::vector<uint64_t> &pages, int protection) const;
  void fill();
  const Cluster *clusterOf(uint64_t address) const;
  uint64_t copyOf(uint64_t address) const;

  PageImages images;
  LaunchRequest moved;
  std::vector<ArgBits> args;
  std::vector<TensorView> tensors;
  std::vector<std::unique_ptr<DescriptorArg>> descriptors;
  std::vector<Cluster> clusters;      ///< ascending
  std::vector<Held> held;             ///< ascending
  std::vector<interp::Extent> unread; ///< of the caller's tensors that are only written
  uint64_t base = 0, size = 0;        ///< of the reserved address space
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_COPIES_H
