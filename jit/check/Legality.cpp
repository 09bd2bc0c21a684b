//===- Legality.cpp - a run with bounds -----------------------------------------------------------------===//
#include "jit/check/Legality.h"
#include "jit/reference/PageReader.h"

namespace trisect::jit {

static interp::BoundProfile boundsOf(NumericProfile profile) {
  switch (profile) {
  case NumericProfile::Ieee:
    return interp::BoundProfile::ieee();
  case NumericProfile::Cpu:
    return interp::BoundProfile::cpu();
  case NumericProfile::Cuda:
    // Whether a GPU's compiler fused a product into a sum is its own decision.
    return interp::BoundProfile::cuda(/*contracts=*/true);
  }
  llvm_unreachable("a profile");
}

Legality::Legality(const InterpExecutable &reference, const LaunchRequest &request, ProgramRange programs,
                   MemorySpace &memory, NumericProfile profile) {
  PageSnapshot snapshot(memory);
  interp::Overlay::Reader reader = [&snapshot](uint64_t address) { return snapshot.page(address); };
  interp::Overlay overlay(reader);
  interp::Bounds bounds(reference.decoded(), overlay, boundsOf(profile), reader);
  reference.runAside(request, programs, overlay, &bounds);
  bounds.forEachOpen(
      [&](uint64_t address, const interp::Legal &legal) { open.insert_or_assign(address, legal); });
  lostAt = bounds.lost();
  doubtAt = bounds.doubted();
}

std::optional<Legality::Open> Legality::at(uint64_t byte) const {
  auto after = open.upper_bound(byte);
  if (after == open.begin())
    return std::nullopt;
  auto [address, legal] = *std::prev(after);
  if (byte - address >= static_cast<uint64_t>(byteSize(legal.type)))
    return std::nullopt;
  return Open{address, legal};
}

} // namespace trisect::jit
