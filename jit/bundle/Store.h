//===- Store.h - where bundles are kept -----------------------------------------------------------------===//
//
// What: writes bundles into the folder that TRISECT_BUNDLES names, each under a name of its own, and removes
// the oldest when there are too many. Why: a kernel that is wrong in every process of a large run must not
// fill a disk. Limits: what is larger than TRISECT_BUNDLE_MIB is not kept. Writing never fails a launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_BUNDLE_STORE_H
#define TRISECT_JIT_BUNDLE_STORE_H

#include "jit/bundle/Bundle.h"

namespace trisect::jit {

/// Whether keepBundle() keeps any.
bool keepsBundles();
/// `; bundle in DIR` for the sentence of an event, or why there is none; empty if none are wanted. Throws
/// nothing.
std::string keepBundle(const Bundle &bundle);

/// What is called with the directory of each new bundle, in the thread that made it and
/// outside of all sections that a fork waits for: the host draws its page.
using BundleHook = void (*)(const char *directory);
void onBundle(BundleHook hook);

} // namespace trisect::jit

#endif // TRISECT_JIT_BUNDLE_STORE_H
