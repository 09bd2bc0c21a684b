//===- Target.cpp - registry of targets -----------------------------------------------------------------===//
#include "backends/target/Target.h"
#include <map>
#include <mutex>

namespace trisect {

namespace {
struct Entry {
  TargetRegistry::Factory factory;
  std::unique_ptr<Target> target;
};
struct Registry {
  std::mutex lock;
  std::map<std::string, Entry, std::less<>> entries;
};
// Never destroyed: background compiles may still run while the process exits.
Registry &registry() {
  static auto *instance = new Registry;
  return *instance;
}
} // namespace

void TargetRegistry::add(std::string_view name, Factory factory) {
  std::lock_guard guard(registry().lock);
  registry().entries.try_emplace(std::string(name), Entry{factory, nullptr});
}

Target *TargetRegistry::find(std::string_view name) {
  std::lock_guard guard(registry().lock);
  auto found = registry().entries.find(name);
  if (found == registry().entries.end())
    return nullptr;
  Entry &entry = found->second;
  if (!entry.target)
    entry.target = entry.factory();
  return entry.target.get();
}

std::vector<std::string> TargetRegistry::names() {
  std::lock_guard guard(registry().lock);
  std::vector<std::string> result;
  for (const auto &[name, entry] : registry().entries)
    result.push_back(name);
  return result;
}

} // namespace trisect
