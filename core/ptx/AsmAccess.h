//===- AsmAccess.h - loads and stores of inline assembly ------------------------------------------------===//
//
// What: takes a text that begins with loads, goes on with instructions on values and ends with stores apart
// into just that. Why: each load and store then is one of the program like any other, for every memory mode
// and every check. Limits: addresses are operands of the assembly as they are, `[$k]`; one element an
// instruction; no predicates; narrow signed loads, caches, orders and scopes are refused by name.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_PTX_ASMACCESS_H
#define TRISECT_CORE_PTX_ASMACCESS_H

#include "core/ptx/AsmText.h"
#include "core/support/DType.h"

namespace trisect {

struct AsmAccess {
  unsigned pointer; ///< operand of the assembly
  unsigned bytes;
};

struct AsmParts {
  std::vector<AsmAccess> loads, stores;
  /// The instructions on values. What was loaded are its last inputs, what is to be stored its last outputs.
  std::shared_ptr<const AsmProgram> values;
};

/// Null values with `problem` set if the text has another form.
AsmParts splitAccesses(const AsmProgram &program, std::string &problem);

} // namespace trisect

#endif // TRISECT_CORE_PTX_ASMACCESS_H
