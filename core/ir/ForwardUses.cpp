//===- ForwardUses.cpp - values used before the region that defines them --------------------------------===//
#include "core/ir/ForwardUses.h"
#include <algorithm>

namespace trisect::tt {

bool ForwardUses::isDefined(std::string_view name) const {
  return std::any_of(regions.rbegin(), regions.rend(),
                     [&](const Region &region) { return region.defined.contains(name); });
}

void ForwardUses::use(std::string_view name) {
  regions.back().hasValues = true;
  if (!isDefined(name))
    regions.back().usedBefore.insert(name);
}

bool ForwardUses::define(std::string_view name) {
  for (size_t i = 0; i + 1 < regions.size(); ++i)
    if (regions[i].usedBefore.contains(name))
      return false;
  regions.back().hasValues = true;
  regions.back().defined.insert(name);
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

void ForwardUses::close() {
  if (regions.size() < 2)
    return;
  // A dictionary is no region: what the header defines is for the brace after it.
  if (!regions.back().hasValues)
    header = std::move(regions.back().fromHeader);
  regions.pop_back();
}

} // namespace trisect::tt
