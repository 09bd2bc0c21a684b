//===- FloatEnvironment.h - arithmetic as the language has it -------------------------------------------===//
//
// What: while one lives, its thread rounds to nearest even, keeps subnormal numbers and raises no signal;
// then the caller's settings return. Why: programs flush subnormals (torch.set_flush_denormal, libraries that
// were compiled for speed), round elsewhere or trap, and threads inherit that: a kernel's result must not
// hang on it. Limits: the processor's vector unit alone, which does all arithmetic here; costs two
// instructions where nothing is to be changed.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_FLOATENVIRONMENT_H
#define TRISECT_CORE_SUPPORT_FLOATENVIRONMENT_H

#include <cstdint>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace trisect {

class FloatEnvironment {
public:
  FloatEnvironment() : before(read()) {
    if ((before & settings) != normal)
      write(normal);
  }
  ~FloatEnvironment() {
    if ((before & settings) != normal)
      write(before);
  }
  FloatEnvironment(const FloatEnvironment &) = delete;
  FloatEnvironment &operator=(const FloatEnvironment &) = delete;

private:
#if defined(__x86_64__)
  // All but the flags that arithmetic leaves behind; every exception is masked.
  static constexpr uint64_t settings = 0xffc0, normal = 0x1f80;
  static uint64_t read() { return _mm_getcsr(); }
  static void write(uint64_t value) { _mm_setcsr(static_cast<unsigned>(value)); }
#elif defined(__aarch64__)
  static constexpr uint64_t settings = ~uint64_t(0), normal = 0;
  static uint64_t read() {
    uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void write(uint64_t value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
#else
#error "FloatEnvironment knows x86-64 and AArch64"
#endif
  uint64_t before;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_FLOATENVIRONMENT_H
