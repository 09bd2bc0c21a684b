//===- CpuOptions.cpp - what a launch may say to tier 1 -------------------------------------------------===//
#include "backends/cpu/CpuOptions.h"

namespace trisect::cpu {

namespace {
constexpr OptionRow ownRows[] = {
#define TRISECT_LAUNCH_OPTION(name, type, initial, values, effect, help)                                     \
  {#name, OptionType::type, initial, values, OptionEffect::effect, help},
#include "backends/cpu/CpuOptions.def"
};
} // namespace

std::span<const OptionRow> CpuOptions::rows() { return ownRows; }

CpuOptions CpuOptions::read(const OptionTexts &texts) {
  CpuOptions options;
  static_cast<TargetOptions &>(options) = TargetOptions::read(texts);
  OptionReader reader(texts);
  const OptionRow *row = ownRows;
#define TRISECT_LAUNCH_OPTION(name, ...) reader.read(*row++, options.name);
#include "backends/cpu/CpuOptions.def"
  options.key += reader.key();
  return options;
}

} // namespace trisect::cpu
