//===- PageReader.h - memory of a device by pages -------------------------------------------------------===//
//
// What: reads whole pages of a memory in which allocations may begin and end anywhere. Why: an overlay asks
// for pages; a device copies only what is allocated. Limits: what is no memory reads as zeros; on the host it
// is touched, and a guard has to stand by.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REFERENCE_PAGEREADER_H
#define TRISECT_JIT_REFERENCE_PAGEREADER_H

#include "backends/target/Memory.h"
#include "interp/memory/Overlay.h"

namespace trisect::jit {

void readPages(MemorySpace &memory, uint64_t address, void *into, size_t bytes);

/// An overlay over the memory, all of whose pages are known afterwards. The memory must outlive it.
interp::Overlay overlayOver(MemorySpace &memory);

} // namespace trisect::jit

#endif // TRISECT_JIT_REFERENCE_PAGEREADER_H
