//===- Ground.h - where programs of a compiled form run alone -------------------------------------------===//
//
// What: memory on which a few programs of a launch run while they are compared, after tier 0 has run them in
// an overlay; page by page what was there before, what tier 0 makes of it, and what the compiled form made.
// Why: nothing that such a run does may reach the caller, whatever the code does.
// Limits: one ground serves one thread and the programs that one overlay was filled by.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_GROUND_H
#define TRISECT_JIT_CHECK_GROUND_H

#include "core/support/Launch.h"
#include "interp/memory/Overlay.h"
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace trisect::jit {

/// A page that tier 0 touched.
struct PageImage {
  using Bytes = std::array<uint8_t, interp::Overlay::pageBytes>;
  struct Altered {
    Bytes before, expected;
  };
  uint64_t address = 0;              ///< in the caller's memory
  const uint8_t *before = nullptr;   ///< what the programs find there; the snapshot's
  const uint8_t *expected = nullptr; ///< what tier 0 leaves; the overlay's
  const uint8_t *written = nullptr;  ///< nonzero where tier 0 wrote; the overlay's
  bool clean = false;                ///< tier 0 wrote nothing: `expected` is `before`
  std::unique_ptr<Altered> altered;  ///< where both lie if they are not the caller's
  const uint8_t *found = nullptr;    ///< what the compiled form left; set by Ground::collect()
};
using PageImages = std::vector<PageImage>;

/// The pages of an overlay over a snapshot, in ascending order; both must outlive them.
PageImages imagesOf(const interp::Overlay &overlay);

class Ground {
public:
  virtual ~Ground() = default;
  /// The launch as the compiled form gets it.
  virtual const LaunchRequest &request() const = 0;
  /// Reads what is in memory now.
  virtual void collect() = 0;
  virtual const PageImages &pages() const = 0;
  /// Memory is as it was before the programs ran.
  virtual void restore() = 0;
  /// The caller's memory is as before the launch again; what was found there is kept.
  virtual void putBack() {}
  /// Whether the ground is a copy: bytes beside the tensors count then, and tier 0 may run here as well.
  virtual bool isCopy() const = 0;
  /// After an access to `address`, which was not there: true if it is now, and the run can begin anew.
  virtual bool provide(uint64_t address) = 0;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_GROUND_H
