//===- StoredForm.h - one form of a kernel as a file ----------------------------------------------------===//
//
// What: the key of what it was made from, what is known of the kernel without reading its TTIR, the compiled
// code, and behind these the records of comparisons. Why: a process that finds it runs the kernel without a
// compiler, and knows how far it is to be believed. Limits: what was written by another release is refused.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_STOREDFORM_H
#define TRISECT_JIT_CACHE_STOREDFORM_H

#include "backends/target/Artifact.h"
#include "jit/cache/TrustRecord.h"
#include "jit/kernel/Kernel.h"
#include <string>
#include <string_view>
#include <vector>

namespace trisect::jit {

struct StoredForm {
  std::string key; ///< of all that the code was made from, as jit/cache/FormCache.h says
  Form form = Form::Any;
  KernelFacts facts;
  Artifact artifact;
  std::vector<TrustRecord> records; ///< those of this code

  std::string packed() const;
  /// Throws InvalidInput if the bytes are not what packed() gave, followed by records.
  static StoredForm from(std::string_view bytes);
};

/// What records call the code of an artifact.
std::string objectName(const Artifact &artifact);

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_STOREDFORM_H
