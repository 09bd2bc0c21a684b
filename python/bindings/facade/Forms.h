//===- Forms.h - compiled forms as files, for a caller without MLIR -------------------------------------===//
//
// What: tells what the bytes of a form hold, and joins what two of one key know.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_FORMS_H
#define TRISECT_PYTHON_BINDINGS_FACADE_FORMS_H

#include "python/bindings/facade/Api.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::forms {

struct Form {
  std::string kernel, tier, isa, key, object;
  bool mayOverlap = false;             ///< the code takes launches whose arguments overlap
  bool withdrawn = false;              ///< a comparison found it different
  bool compared = false;               ///< and it was found equal, or within bound
  std::vector<std::string> parameters; ///< `name: type`
  std::vector<std::string> asserts;    ///< `message at place`
  std::vector<std::string> paths;      ///< `purpose at place`
  std::vector<std::string> verdicts;   ///< in words, in the order in which they came
  uint64_t codeBytes = 0;
};

/// Throws InvalidInput if the bytes are no whole form.
TRISECT_API Form read(std::string_view bytes);
/// `bytes` with what `other` knows of the same code; the same bytes if that is nothing new.
TRISECT_API std::string joined(std::string_view bytes, std::string_view other);

/// Whether what is cached is not used: somebody wants to see the compiler at work, or has said so. Throws
/// InvalidInput on an option that makes no sense.
TRISECT_API bool compilesAnew();

} // namespace trisect::forms

#endif // TRISECT_PYTHON_BINDINGS_FACADE_FORMS_H
