//===- Target.cpp - registry of targets -----------------------------------------------------------------===//
#include "backends/target/Target.h"
#include "core/support/ForkGate.h"
#include <algorithm>
#include <mutex>

namespace trisect {

namespace {
struct Entry {
  std::string name;
  TargetRegistry::Factory factory;
  std::unique_ptr<Target> target;

  Target *get() {
    if (!target)
      target = factory();
    return target.get();
  }
};
struct Registry {
  ForkMutex lock;
  std::vector<Entry> entries;

  auto at(std::string_view name) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const Entry &entry) { return entry.name == name; });
  }
};
// Never destroyed: background compiles may still run while the process exits.
Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}
} // namespace

std::unique_ptr<const TargetOptions> Target::readOptions(const OptionTexts &texts) const {
  return std::make_unique<TargetOptions>(TargetOptions::read(texts));
}

std::vector<Stage> Target::stages(const mlir::ModuleOp &, std::string_view, const TargetOptions &) {
  return {};
}

Artifact Target::artifactOf(std::string_view kernel, const TargetOptions &options) const {
  Artifact artifact;
  artifact.target = name();
  artifact.isa = isa(options);
  artifact.kernel = kernel;
  artifact.numerics = numerics();
  return artifact;
}

void TargetRegistry::add(std::string_view name, Factory factory) {
  std::lock_guard guard(registry().lock);
  if (registry().at(name) == registry().entries.end())
    registry().entries.push_back({std::string(name), factory, nullptr});
}

Target *TargetRegistry::find(std::string_view name) {
  std::lock_guard guard(registry().lock);
  auto found = registry().at(name);
  return found == registry().entries.end() ? nullptr : found->get();
}

std::vector<std::string> TargetRegistry::names() {
  std::lock_guard guard(registry().lock);
  std::vector<std::string> result;
  for (const Entry &entry : registry().entries)
    result.push_back(entry.name);
  return result;
}

std::vector<Target *> TargetRegistry::runningOn(DeviceId where) {
  std::lock_guard guard(registry().lock);
  std::vector<Target *> result;
  for (Entry &entry : registry().entries)
    if (Target *target = entry.get(); target && target->device(where))
      result.push_back(target);
  return result;
}

} // namespace trisect
