//===- Shrink.h - a smaller bundle that differs as well -------------------------------------------------===//
//
// What: takes operations out of the kernel of a bundle (core/passes/SimplerForms.h) and makes its grid
// smaller, as long as what the present compiler makes differs from tier 0. Why: a kernel of ten operations
// says more than one of a thousand. Limits: arguments stay; ends after a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_REPLAY_SHRINK_H
#define TRISECT_JIT_REPLAY_SHRINK_H

#include "jit/bundle/Bundle.h"
#include <chrono>

namespace trisect::jit {

struct Shrunk {
  Bundle bundle;
  int operationsBefore = 0, operations = 0;
  int attempts = 0;
};

/// Throws InvalidInput if what is compiled now does not differ, AddressesTaken, Unsupported.
Shrunk shrink(Bundle bundle, std::chrono::nanoseconds time);

} // namespace trisect::jit

#endif // TRISECT_JIT_REPLAY_SHRINK_H
