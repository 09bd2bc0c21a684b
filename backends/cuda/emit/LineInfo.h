//===- LineInfo.h - source lines for profilers and debuggers --------------------------------------------===//
//
// What: the debug locations of a function's instructions, as `.loc` directives without types or variables.
// Limits: an inlined call shows the line of the callee.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_LINEINFO_H
#define TRISECT_BACKENDS_CUDA_EMIT_LINEINFO_H

#include "core/support/Outcome.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugLoc.h"

namespace trisect::cuda {

class LineInfo {
public:
  LineInfo(llvm::Function &function, const SourcePosition &kernel);
  ~LineInfo();
  llvm::DebugLoc at(const SourcePosition &position);

private:
  llvm::DIFile *file(const std::string &path);

  llvm::DIBuilder builder;
  llvm::StringMap<llvm::DIFile *> files;
  llvm::StringMap<llvm::DIScope *> scopes; ///< by file
  llvm::DISubprogram *subprogram = nullptr;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_LINEINFO_H
