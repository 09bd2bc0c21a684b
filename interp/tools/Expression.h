//===- Expression.h - expected elements as formulas -----------------------------------------------------===//
//
// What: a small language of numbers over an element's index and the buffers as they were before the run, for
// the `expect` lines of run tests. Limits: integers are 64-bit, floats double; a float is rounded to the
// buffer's type at the end, or where a type's name is called as a function.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_EXPRESSION_H
#define TRISECT_INTERP_TOOLS_EXPRESSION_H

#include "interp/tools/Buffer.h"
#include <map>
#include <memory>

namespace trisect::tools {

struct Number {
  bool isFloat = false;
  int64_t whole = 0;
  double real = 0;

  static Number of(int64_t value) { return {false, value, static_cast<double>(value)}; }
  static Number of(double value) { return {true, 0, value}; }
  double asDouble() const { return isFloat ? real : static_cast<double>(whole); }
  bool truth() const { return isFloat ? real != 0 : whole != 0; }
};

/// What names mean while an expression is evaluated.
struct Scope {
  const std::vector<Buffer> *buffers = nullptr; ///< %N
  std::map<std::string, int64_t> variables;     ///< i, i0, i1 ... and those of sum()
};

class Expression {
public:
  /// Throws InvalidInput with the place where the text stops making sense.
  explicit Expression(std::string_view text);
  ~Expression();
  Number evaluate(Scope &scope) const;

  struct Node;

private:
  std::unique_ptr<Node> root;
};

/// The number that an element's bits stand for.
Number decodeNumber(uint64_t bits, DType type);
/// The bits of a number in a type: floats round to nearest even, integers wrap around.
uint64_t encodeNumber(const Number &number, DType type);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_EXPRESSION_H
