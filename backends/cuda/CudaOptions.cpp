//===- CudaOptions.cpp - options from texts -------------------------------------------------------------===//
#include "backends/cuda/CudaOptions.h"
#include "backends/cuda/driver/Device.h"
#include "core/support/Outcome.h"
#include <charconv>

namespace trisect::cuda {

namespace {
constexpr OptionRow ownRows[] = {
#define TRISECT_LAUNCH_OPTION(name, type, initial, values, effect, help)                                     \
  {#name, OptionType::type, initial, values, OptionEffect::effect, help},
#include "backends/cuda/CudaOptions.def"
};

int capabilityOf(const std::string &arch) {
  if (arch.empty())
    return driver::deviceCount() ? driver::facts(0).capability : 90;
  std::string digits = arch.substr(arch.starts_with("sm_") ? 3 : arch.starts_with("sm") ? 2 : 0);
  if (digits.ends_with('a'))
    digits.pop_back();
  int value = 0;
  auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failed != std::errc() || end != digits.data() + digits.size() || value < 80)
    throw InvalidInput("cuda: option arch must be sm80 or newer, not " + arch);
  return value;
}
} // namespace

std::span<const OptionRow> CudaOptions::rows() { return ownRows; }

CudaOptions CudaOptions::read(const OptionTexts &texts) {
  CudaOptions options;
  static_cast<TargetOptions &>(options) = TargetOptions::read(texts);
  OptionReader reader(texts);
  const OptionRow *row = ownRows;
#define TRISECT_LAUNCH_OPTION(name, ...) reader.read(*row++, options.name);
#include "backends/cuda/CudaOptions.def"
  options.key += reader.key();
  options.capability = capabilityOf(options.arch);
  return options;
}

std::string CudaOptions::architecture() const {
  return "sm_" + std::to_string(capability) + (capability >= 90 ? "a" : "");
}

} // namespace trisect::cuda
