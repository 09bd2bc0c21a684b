//===- LaunchFile.h - launch.json of a bundle -----------------------------------------------------------===//
#ifndef TRISECT_JIT_BUNDLE_LAUNCHFILE_H
#define TRISECT_JIT_BUNDLE_LAUNCHFILE_H

#include "jit/bundle/Bundle.h"
#include <string>

namespace trisect::jit {

/// `digest` is that of the other files.
std::string launchText(const Bundle &bundle, const std::string &digest);
/// All but what other files hold; pages have their addresses, and `found` is not empty if there is one.
/// Throws InvalidInput.
Bundle launchFrom(const std::string &text, std::string &digest);

} // namespace trisect::jit

#endif // TRISECT_JIT_BUNDLE_LAUNCHFILE_H
