//===- Sanitize.cpp - settings, log and marks -----------------------------------------------------------===//
#include "python/bindings/facade/Sanitize.h"
#include "interp/memory/Unwritten.h"

namespace trisect::runtime {

void setSanitize(std::optional<std::string_view> kinds, int collect) {
  if (kinds)
    trisect::setSanitize(SanitizeOptions::parse(*kinds, collect));
  else
    trisect::setSanitize(std::nullopt);
}

std::pair<std::vector<std::string>, int> sanitizing() {
  SanitizeOptions now = currentSanitize();
  std::vector<std::string> names;
  for (unsigned kind = 0; kind <= unsigned(FaultKind::NanOrigin); ++kind)
    if (now.has(FaultKind(kind)))
      names.emplace_back(faultKindName(FaultKind(kind)));
  return {names, now.collect};
}

std::vector<Finding> takeFindings() { return trisect::takeFindings(); }

std::string findingKind(const Finding &finding) { return std::string(faultKindName(finding.kind)); }
std::string dtypeName(DType type) { return std::string(name(type)); }

void markUninitialized(const TensorView &view) { interp::markUninitialized(view); }
void forgetUninitialized(uint64_t address, int64_t bytes) { interp::forgetUninitialized(address, bytes); }

} // namespace trisect::runtime
