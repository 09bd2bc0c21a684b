//===- Machine.h - the processor that tier 1 compiles for -----------------------------------------------===//
//
// What: triple, processor and features as a value that each compilation is given: this processor, a level of
// x86-64, or 64-bit Arm, by name. Why: code for another machine, or for a lower level of this one, is made by
// the same compiler; what code depends on is a part of its cache key. Limits: names are those of x86-64
// levels, of processors beyond them, and of what every 64-bit Arm processor has (no SVE).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_MACHINE_H
#define TRISECT_BACKENDS_CPU_ORC_MACHINE_H

#include <memory>
#include <string>
#include <string_view>

namespace llvm {
class TargetMachine;
}

namespace trisect::cpu {

struct Machine {
  std::string triple;
  std::string processor;
  std::string features; ///< `+avx2,-sse4a`
  /// Bytes of the widest vector register that code should use.
  unsigned vectorBytes = 16;

  /// Registers for vectors.
  unsigned vectorRegisters = 16;

  bool hasManyRegisters() const { return vectorRegisters >= 32; }
  /// Whether it has a feature of 64-byte registers (`+avx512bf16`).
  bool has(std::string_view feature) const;
  /// Whether it does in two halves what code does with 64 bytes at a time.
  bool takesHalves() const { return vectorBytes == 64 && processor == "znver4"; }
  /// `triple:processor:features`, for cache keys and reports.
  std::string describe() const { return triple + ":" + processor + ":" + features; }
};

/// This processor; detected once.
const Machine &hostMachine();
/// The machine of a name: empty (what TRISECT_CPU_ISA or TRITON_OVERRIDE_ARCH says, else `host`),
/// `x86-64-v2`, `x86-64-v3`, `x86-64-v4` (also `v2`, `avx2`, `avx512`), `znver4` (also `avx512bf16`), which
/// multiplies bytes and bf16 several at a time, `sapphirerapids` (also `amx`), which has tile registers, or
/// `aarch64` (also `neon`). Throws InvalidInput that lists the names, or says that this build makes no such
/// code.
Machine machineNamed(std::string_view name);
/// The machine without the instructions that take subnormals for zero (profile `ieee`, docs/numerics.md).
Machine exact(Machine machine);
/// Whether this processor runs code for what describe() told.
bool runsHere(std::string_view described);

/// A new target machine; throws EngineError if LLVM knows no such target.
std::unique_ptr<llvm::TargetMachine> makeTargetMachine(const Machine &machine);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_MACHINE_H
