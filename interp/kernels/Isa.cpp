//===- Isa.cpp - which ISA level this process uses ------------------------------------------------------===//
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/kernels/IsaTables.h"
#include "interp/kernels/KernelTable.h"
#include <ranges>
#include <string>

namespace trisect::interp {

namespace {
constexpr std::string_view names[] = {"scalar", "v2", "avx2", "avx512", "neon"};

std::string availableNames() {
  return listed(isaLevels | std::views::filter(isaAvailable) | std::views::transform(isaName));
}

Isa chooseIsa() {
  std::string forced = optionText(OptionId::Isa);
  if (forced.empty()) {
    Isa best = Isa::Scalar;
    for (Isa isa : isaLevels)
      if (isaAvailable(isa))
        best = isa;
    return best;
  }
  for (Isa isa : isaLevels)
    if (isaName(isa) == forced && isaAvailable(isa))
      return isa;
  throw InvalidInput("TRISECT_ISA=" + forced + ": this machine lacks that level; it has " + availableNames());
}
} // namespace

std::string_view isaName(Isa isa) { return names[static_cast<int>(isa)]; }

bool isaAvailable(Isa isa) {
#if TRISECT_X86_KERNELS
  switch (isa) {
  case Isa::Scalar:
    return true;
  case Isa::V2:
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  case Isa::Avx2:
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("lzcnt");
  case Isa::Avx512:
    return isaAvailable(Isa::Avx2) && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  case Isa::Neon:
    return false;
  }
  return false;
#else
  return isa == Isa::Scalar || (isa == Isa::Neon && TRISECT_ARM_KERNELS);
#endif
}

Isa activeIsa() {
  static const Isa chosen = chooseIsa();
  return chosen;
}

} // namespace trisect::interp
