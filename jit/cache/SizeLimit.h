//===- SizeLimit.h - how much the cache may take --------------------------------------------------------===//
//
// What: removes the forms that were not used for the longest time once all together take more than
// TRISECT_CACHE_MIB. Why: every change of a kernel leaves forms that nobody asks for again. Limits: looks at
// a cache with a process's first form and then with every 64th; other files of a cache are not touched.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_SIZELIMIT_H
#define TRISECT_JIT_CACHE_SIZELIMIT_H

#include <filesystem>

namespace trisect::jit {

/// How the names of forms end.
inline constexpr const char *formSuffix = ".form";

/// `cache` holds a folder for each kernel.
void keepWithinLimit(const std::filesystem::path &cache);

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_SIZELIMIT_H
