//===- HostMachine.h - the processor that tier 1 compiles for -------------------------------------------===//
//
// What: name and features of this processor, and an LLVM target machine for it, one per thread.
// Limits: x86-64 and AArch64 Linux; TRISECT_CPU_ISA (v2, avx2, avx512) lowers the level on x86-64.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_HOSTMACHINE_H
#define TRISECT_BACKENDS_CPU_ORC_HOSTMACHINE_H

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace trisect::cpu {

struct HostMachine {
  std::string triple;
  std::string processor;
  std::string features;
  /// Bytes of the widest vector register that code should use.
  unsigned vectorBytes = 16;

  /// `processor:features`, for cache keys and reports.
  std::string describe() const { return triple + ":" + processor + ":" + features; }
};

/// Detected once; initialises LLVM's native target.
const HostMachine &hostMachine();
/// A new target machine; throws EngineError if LLVM knows no such target.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine();

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_HOSTMACHINE_H
