//===- Mappings.h - which memory belongs to this process alone ------------------------------------------===//
//
// What: asks the system whether memory is shared with other processes. Why: what one process may do with its
// own memory while no other launch is there (AtomicsGate.h), two must not do with what they share. Limits:
// Linux 6.11 and newer tell; elsewhere nothing counts as this process's alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_MAPPINGS_H
#define TRISECT_CORE_SUPPORT_MAPPINGS_H

#include <cstdint>
#include <span>

namespace trisect {

/// Whether each address lies in a mapping that no other process sees, nor will.
bool arePrivate(std::span<const uint64_t> addresses);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_MAPPINGS_H
