//===- BlockMemory.h - how much memory running programs may take ----------------------------------------===//
//
// What: one account for the blocks and waiting programs of all launches under way. Whoever takes more than
// TRISECT_MEMORY allows gets an exception. Why: a kernel with absurd blocks must end in a report, not in a
// process that the operating system kills. Limits: counts what the interpreter's blocks and instances take;
// the tensors of a launch belong to the caller.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_BLOCKMEMORY_H
#define TRISECT_CORE_SUPPORT_BLOCKMEMORY_H

#include "core/support/Outcome.h"
#include <cstdint>
#include <utility>

namespace trisect {

/// Says how much is allowed and what to do; who knows the line adds it.
class OutOfBlockMemory : public Unsupported {
public:
  explicit OutOfBlockMemory(const SourcePosition &position = {});
};

namespace blockmemory {
/// In bytes: TRISECT_MEMORY, else half of what the machine or its container has.
int64_t limit();
/// Reads the option again; at every launch.
void readLimit();
void take(int64_t bytes);
void give(int64_t bytes) noexcept;

/// Taken as long as it lives.
class Share {
public:
  explicit Share(int64_t bytes) : bytes(bytes) { take(bytes); }
  ~Share() { give(bytes); }
  Share(const Share &) = delete;
  Share &operator=(const Share &) = delete;

private:
  int64_t bytes;
};
} // namespace blockmemory

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_BLOCKMEMORY_H
