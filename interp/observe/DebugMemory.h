//===- DebugMemory.h - memory of a launch that is being debugged ----------------------------------------===//
//
// What: an overlay that also tells when a watched element is written and stops accesses that leave all
// tensors of the launch. Why: the debugger runs a launch again and again, so that the caller's memory must
// stay as it was until the launch is over; and it must survive the wild address that it is there to show.
// Limits: a write counts even if it changes nothing; of several hits by one instruction the first is told. An
// access inside the wrong tensor is a sanitizer's to find. A kernel that makes pointers from memory may reach
// whatever is mapped. Memory of a device is reached as the caller says.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_DEBUGMEMORY_H
#define TRISECT_INTERP_OBSERVE_DEBUGMEMORY_H

#include "interp/exec/Instance.h"
#include "interp/memory/Extent.h"
#include "interp/memory/Overlay.h"
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace trisect::interp {

struct Watch {
  int id = 0;
  uint64_t address = 0;
  unsigned size = 0; ///< at most 8 bytes
};

struct WatchHit {
  int id = 0;
  uint64_t before = 0, after = 0; ///< the element's bits
};

/// Where the tensors of a launch lie, if that is not the host.
struct DeviceMemory {
  std::unique_ptr<Overlay> overlay;
  std::function<void(const Overlay &)> commit; ///< carries what was written over into real memory
};

class DebugMemory final : public MemoryPolicy {
public:
  /// The tensors of a launch of the program.
  DebugMemory(const Program &program, std::span<const TensorView> tensors, DeviceMemory device = {});

  void read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) override;
  void write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) override;
  bool maps(uint64_t address, int64_t bytes) override { return overlay->maps(address, bytes); }

  /// Who accesses memory from now on, and whether hits of watches stop it.
  void setRunning(Instance *instance, bool watches) {
    running = instance;
    watching = watches;
  }
  void setWatches(std::vector<Watch> all) { watches = std::move(all); }
  std::optional<WatchHit> takeHit() { return std::exchange(hit, std::nullopt); }
  /// What the launch sees at an address of a tensor.
  void look(uint64_t address, void *into, int64_t bytes) { overlay->read({}, address, into, bytes); }
  /// Forgets every write.
  void clear() { overlay->clear(); }
  /// Carries every write over into real memory.
  void commit();

private:
  /// Throws the fault of an access that must not be.
  void check(uint64_t address, int64_t bytes, const char *what);
  [[noreturn]] void leave(uint64_t address, int64_t bytes, const char *what) const;

  std::unique_ptr<Overlay> overlay;
  std::function<void(const Overlay &)> carryOver; ///< none: into the host's memory
  std::vector<TensorView> tensors;
  std::vector<Extent> extents;
  size_t last = 0;    ///< the extent that was accessed last
  bool closed = true; ///< every pointer comes from the arguments, whose tensors are all known
  std::vector<Watch> watches;
  std::optional<WatchHit> hit;
  Instance *running = nullptr;
  bool watching = false;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_DEBUGMEMORY_H
