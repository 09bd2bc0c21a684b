//===- DroppingMemory.h - accesses at fault without what is at fault ------------------------------------===//
//
// What: memory that leaves out what of an access leaves the tensors of the launch, after the defect was
// counted; the rest goes to the memory of the run.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_SHADOW_DROPPINGMEMORY_H
#define TRISECT_INTERP_SHADOW_DROPPINGMEMORY_H

#include "interp/memory/Memory.h"
#include "interp/memory/Views.h"

namespace trisect::interp {

class DroppingMemory final : public MemoryPolicy {
public:
  /// `under`: null for the process's own memory.
  DroppingMemory(const Views &views, MemoryPolicy *under) : views(views), under(under) {}
  void aim(int32_t tensor, unsigned elementBytes) {
    allowed = tensor;
    size = elementBytes;
  }
  void read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) override;
  void write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) override;

private:
  bool allows(uint64_t address, int64_t bytes) const;

  const Views &views;
  MemoryPolicy *under;
  int32_t allowed = Views::none;
  unsigned size = 1;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_SHADOW_DROPPINGMEMORY_H
