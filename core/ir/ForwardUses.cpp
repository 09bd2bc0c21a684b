//===- ForwardUses.cpp - values used before the region that defines them --------------------------------===//
#include "core/ir/ForwardUses.h"
#include <algorithm>
#include <ranges>

namespace trisect::tt {

bool ForwardUses::isDefined(std::string_view name) const {
  return std::any_of(regions.rbegin(), regions.rend(),
                     [&](const Region &region) { return region.defined.contains(name); });
}

void ForwardUses::use(std::string_view name, size_t at) {
  Region &region = regions.back();
  region.hasValues = true;
  if (isDefined(name))
    return;
  region.usedBefore.insert(name);
  region.waiting.emplace(name, at);
}

bool ForwardUses::define(std::string_view name) {
  for (size_t i = 0; i + 1 < regions.size(); ++i)
    if (regions[i].usedBefore.contains(name))
      return false;
  regions.back().hasValues = true;
  regions.back().defined.insert(name);
  regions.back().waiting.erase(name);
  return true;
}

bool ForwardUses::assign(std::string_view name) {
  if (std::any_of(regions.begin(), regions.end(),
                  [&](const Region &region) { return region.assigned.contains(name); }))
    return false;
  regions.back().assigned.insert(name);
  return true;
}

bool ForwardUses::open() {
  regions.emplace_back();
  bool good = true;
  for (std::string_view name : header)
    good = define(name) && good;
  regions.back().hasValues = false;
  regions.back().fromHeader = std::move(header);
  header.clear();
  return good;
}

std::optional<size_t> ForwardUses::close() {
  if (regions.size() < 2)
    return std::nullopt;
  Region &around = *(regions.end() - 2);
  auto waiting = std::move(regions.back().waiting);
  // A dictionary is no region: what the header defines is for the brace after it.
  if (!regions.back().hasValues)
    header = std::move(regions.back().fromHeader);
  regions.pop_back();
  // The region around a function, a module's or none, has no values.
  if (!around.hasValues && !waiting.empty())
    return std::ranges::min(waiting | std::views::values);
  for (auto [name, at] : waiting) {
    around.usedBefore.insert(name);
    if (auto [known, isNew] = around.waiting.emplace(name, at); !isNew)
      known->second = std::min(known->second, at);
  }
  return std::nullopt;
}

} // namespace trisect::tt
