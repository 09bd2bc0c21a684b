//===- BuildId.h - which compiler this is ---------------------------------------------------------------===//
//
// What: the build ids that the linker put into this library and into those of LLVM and MLIR. Why: code from
// another compiler must not be taken for this one's; two builds may share size, time and version. Limits: a
// library without a build id counts by its whole content.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_BUILDID_H
#define TRISECT_JIT_CACHE_BUILDID_H

#include <string>

namespace trisect::jit {

/// Found once; the same in every process that runs the same files.
const std::string &compilerBuild();

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_BUILDID_H
