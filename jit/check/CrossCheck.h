//===- CrossCheck.h - compares a launch of a compiled tier with tier 0 ----------------------------------===//
//
// What: before the launch, tier 0 runs a sample of programs with their writes kept aside; after it, every
// byte that they wrote is compared with memory. No tensor is copied. Limits: without an error bound, floats
// that went through an op of stated ULP or free order can only be found equal or left open. A sampled program
// sees memory as it was before the launch: kernels whose programs read what others write are left open when
// they differ.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_CHECK_CROSSCHECK_H
#define TRISECT_JIT_CHECK_CROSSCHECK_H

#include "jit/check/Verdict.h"
#include "jit/tiers/InterpTier.h"
#include <memory>
#include <vector>

namespace trisect::interp {
class Overlay;
}

namespace trisect::jit {

class CrossCheck {
public:
  /// Runs the sample. The request must outlive the check.
  CrossCheck(const Kernel &kernel, const InterpExecutable &reference, const LaunchRequest &request,
             const std::vector<int64_t> &programs);
  ~CrossCheck();
  /// Compares with memory as the launch left it.
  Verdict compare() const;

private:
  struct Sampled;
  void comparePage(const Sampled &sampled, uint64_t address, std::span<const uint8_t> bytes,
                   std::span<const uint8_t> mask, Verdict &verdict) const;
  const TensorView *viewAt(uint64_t address) const;
  /// Why a difference would prove nothing; empty if it would.
  std::string excuse(const Verdict &verdict) const;

  const Kernel &kernel;
  const LaunchRequest &request;
  std::vector<Sampled> sampled;
  std::string failure; ///< why the sample could not be run
};

} // namespace trisect::jit

#endif // TRISECT_JIT_CHECK_CROSSCHECK_H
