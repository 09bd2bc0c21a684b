//===- Sanitize.cpp - settings, log and marks -----------------------------------------------------------===//
#include "python/bindings/facade/Sanitize.h"
#include "core/support/Outcome.h"
#include "interp/memory/Unwritten.h"
#include "jit/reference/PageReader.h"
#include "jit/reference/Transfers.h"

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

void markUninitialized(const TensorView &view, DeviceId where) {
  if (where.kind == DeviceKind::Host)
    return interp::markUninitialized(view);
  MemorySpace *memory = memoryOf(where);
  if (!memory)
    throw InvalidInput("the memory of this device cannot be marked: nothing here reaches it");
  memory->sync(nullptr);
  interp::Overlay overlay = jit::overlayOver(*memory);
  interp::markUninitialized(view, &overlay);
  jit::writeBack(overlay, *memory);
}
void forgetUninitialized(uint64_t address, int64_t bytes) { interp::forgetUninitialized(address, bytes); }

} // namespace trisect::runtime
