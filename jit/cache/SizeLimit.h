//===- SizeLimit.h - how much the cache may take --------------------------------------------------------===//
//
// What: removes the forms that were not used for the longest time once all together take more than
// TRISECT_CACHE_MIB. Why: every change of a kernel leaves forms that nobody asks for again. Limits: holds
// after each form that this process puts, as far as it knows: it looks at a cache with its first form, with
// every 64th, and when those that it has put since may be too much; what other processes put meanwhile counts
// at the next look. Other files of a cache are not touched.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_SIZELIMIT_H
#define TRISECT_JIT_CACHE_SIZELIMIT_H

#include <cstdint>
#include <filesystem>

namespace trisect::jit {

/// How the names of forms end.
inline constexpr const char *formSuffix = ".form";

/// Whether forms may be kept at all.
bool keepsForms();
/// After `bytes` more were put there. `cache` holds a folder for each kernel.
void keepWithinLimit(const std::filesystem::path &cache, uintmax_t bytes);

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_SIZELIMIT_H
