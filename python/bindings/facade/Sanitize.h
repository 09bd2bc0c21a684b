//===- Sanitize.h - sanitizers for a caller without MLIR ------------------------------------------------===//
//
// What: the settings that hold for launches, what they collected, and marks on memory that nobody has
// written. Limits: the settings and the log are those of the process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_SANITIZE_H
#define TRISECT_PYTHON_BINDINGS_FACADE_SANITIZE_H

#include "core/support/Launch.h"
#include "core/support/Sanitize.h"
#include "python/bindings/facade/Api.h"
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trisect::runtime {

/// Overrides TRISECT_SANITIZE: `off`, `on`, `all` or kinds joined by commas; without text the environment
/// counts again. A positive `collect` lets launches go on and log up to so many distinct findings each.
TRISECT_API void setSanitize(std::optional<std::string_view> kinds, int collect);
/// The names of the kinds that are looked for now, and how many findings a launch collects.
TRISECT_API std::pair<std::vector<std::string>, int> sanitizing();
/// What launches have collected since the last call.
TRISECT_API std::vector<Finding> takeFindings();
/// The public name of a kind.
TRISECT_API std::string findingKind(const Finding &finding);
TRISECT_API std::string dtypeName(DType type);

/// Declares the elements of a view as written by nobody, and fills them with a pattern.
/// `where`: the device that the view lies on. Throws InvalidInput if its memory is out of reach.
TRISECT_API void markUninitialized(const TensorView &view, DeviceId where);
/// Takes back every mark that overlaps the bytes: needed before the memory is freed.
TRISECT_API void forgetUninitialized(uint64_t address, int64_t bytes);

} // namespace trisect::runtime

#endif // TRISECT_PYTHON_BINDINGS_FACADE_SANITIZE_H
