//===- Statement.h - where a debugger can stop ----------------------------------------------------------===//
//
// What: one statement of the kernel's source at one place of the flat program: its function, the statement
// that called it, and which slots hold the variables there. Why: what a name means changes from statement to
// statement; the front end marks each one while a debugger is attached. Limits: a function that is called
// twice has its statements twice, as its code is.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_STATEMENT_H
#define TRISECT_INTERP_PROGRAM_STATEMENT_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trisect::interp {

constexpr uint32_t noStatement = ~uint32_t(0);

/// A variable, or a part of one (`pair[0]`, `tile.offsets[1]`).
struct Variable {
  std::string name;
  std::string type; ///< as the language spells it
  uint32_t slot = 0;
  uint32_t mask = ~uint32_t(0); ///< slot of the mask of the load that made it; ~0 for none
  bool undefined = false;       ///< lanes that the mask leaves out hold nothing: the load has no `other`
};

struct Statement {
  enum class Kind : uint8_t {
    Line,
    End,       ///< of a function that falls off its last statement
    Breakpoint ///< a call of `breakpoint()`
  };
  Kind kind = Kind::Line;
  uint32_t location = 0;         ///< index into Program::locations
  uint32_t caller = noStatement; ///< the statement that the function was called at
  uint32_t depth = 0;            ///< number of callers
  std::string function;
  std::vector<Variable> variables;
  std::vector<std::pair<std::string, std::string>> constants; ///< compile-time values as text
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_STATEMENT_H
