//===- TargetOptions.h - what a launch may say about compilation ----------------------------------------===//
//
// What: the rows of a target's options and the typed struct that a target reads from a launch.
// Why: one declaration, a .def file of each target, makes the C++ struct, the class that Python shows and the
// page docs/options.md.
// Limits: names that a target does not know are ignored: a launch carries what other targets understand.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_TARGETOPTIONS_H
#define TRISECT_BACKENDS_TARGET_TARGETOPTIONS_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace trisect {

/// The options of a launch by name, as text.
using OptionTexts = std::map<std::string, std::string>;

/// The options of one target; each target derives its own.
struct TargetOptions {
  virtual ~TargetOptions() = default;
  /// What of them changes the code, for cache keys.
  virtual std::string key() const = 0;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_TARGETOPTIONS_H
