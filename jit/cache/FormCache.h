//===- FormCache.h - the compiled forms of one kernel, across processes ---------------------------------===//
//
// What: finds and keeps forms on a shelf under a key of everything that their code depends on: the TTIR with
// its locations (callees and globals are a part of it), the kernel, the target with the machine, the options
// that change code, the numeric profile, the form, and this compiler. Why: a kernel that was compiled and
// compared once starts where it was. Limits: whatever goes wrong here costs a compile and never a launch.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CACHE_FORMCACHE_H
#define TRISECT_JIT_CACHE_FORMCACHE_H

#include "backends/target/Target.h"
#include "core/support/Shelf.h"
#include "jit/cache/BuildId.h"
#include "jit/cache/StoredForm.h"
#include <memory>
#include <optional>

namespace trisect::jit {

/// Whether what is cached is not used: somebody wants to see the compiler at work, or has said so.
bool compilesAnew();

class FormCache {
public:
  /// Of the kernel `name` of a module whose text is `text`, launched with `options`; `build`: the compiler.
  FormCache(std::shared_ptr<Shelf> shelf, std::string_view text, std::string name, KernelOptions options,
            std::string build = compilerBuild());

  /// Nothing if none is kept, if what is kept cannot be read, or if kernels are to be compiled anew.
  std::optional<StoredForm> find(const Target &target, Form form) const;
  /// Keeps code that was just made; gives what other processes found of the same code meanwhile.
  std::vector<TrustRecord> keep(const Target &target, Form form, const KernelFacts &facts,
                                const Artifact &artifact) const;
  /// Adds what a comparison showed of code that is kept.
  void add(const Target &target, Form form, const TrustRecord &record) const;

  /// What is known of the kernel if a form of it is kept for a tier.
  std::optional<KernelFacts> factsFor(std::string_view tier) const;
  /// What a form is kept under.
  std::string fileName(const Target &target, Form form) const;

private:
  std::string key(const Target &target, Form form) const;
  std::string nameOf(const Target &target, const std::string &key) const;

  std::shared_ptr<Shelf> shelf;
  std::string textDigest, name, build;
  KernelOptions options;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CACHE_FORMCACHE_H
