//===- AddressSpace.h - what `ulimit -v` leaves ---------------------------------------------------------===//
//
// What: how much more memory this process may map, and checks before work that cannot fail in the middle:
// LLVM and MLIR end the process when an allocation fails, and so does the loader when a thread touches a
// library's thread-local variables for the first time and finds no memory for them. Why: too little address
// space must be an error. Limits: memory that the machine does not have shows to nobody before it is touched;
// other threads may take what was just seen to be there, so the checks ask for a multiple of what is needed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_ADDRESSSPACE_H
#define TRISECT_CORE_SUPPORT_ADDRESSSPACE_H

#include "core/support/Outcome.h"
#include <cstdint>
#include <optional>

namespace trisect {

/// RLIMIT_AS or RLIMIT_DATA has no room; says what for, and how much is left.
class OutOfAddressSpace : public Unsupported {
  using Unsupported::Unsupported;
};

/// Bytes that RLIMIT_AS and RLIMIT_DATA leave; nothing where neither is set.
std::optional<int64_t> addressSpaceLeft();

/// Throws OutOfAddressSpace if less is left; `doing` as in "to compile a kernel".
void requireAddressSpace(int64_t bytes, const char *doing);

/// What reading and changing a module may take, and what a code generator may take.
constexpr int64_t spaceToRead = 32 << 20, spaceToCompile = 192 << 20;

/// Gives this thread its copy of our thread-local variables and its objects (PerThread.h), once; false if
/// there is no room for them.
bool claimThreadStorage();
/// The same; throws OutOfAddressSpace.
void requireThreadStorage();

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_ADDRESSSPACE_H
