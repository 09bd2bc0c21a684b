//===- Text.cpp - lines, names and the pool -------------------------------------------------------------===//
#include "tests/fuzz/kernels/Generator.h"

namespace trisect::fuzz {

Value Generator::keep(Value value) {
  pool.push_back(value);
  return value;
}

/// A line whose result goes to the pool.
Value Generator::make(const Type &type, Open open, const std::string &text) {
  return keep({hidden(text), type, open});
}

/// A line whose result is used once, by whoever asked for it.
std::string Generator::hidden(const std::string &text) {
  std::string name = fresh();
  line(name + " = " + text);
  return name;
}

std::string Generator::constant(DType type, int64_t number) {
  if (type == DType::I1)
    return hidden(std::string("arith.constant ") + (number ? "true" : "false"));
  return hidden("arith.constant " + std::to_string(number) + " : " + std::string(name(type)));
}

std::string Generator::parameter(const std::string &type, const std::string &argument) {
  std::string made = "%arg" + std::to_string(parameters.size());
  parameters.push_back(made + ": " + type);
  result.arguments.push_back(argument);
  return made;
}

void Generator::enter(const std::string &head) {
  line(head);
  indent += 2;
  ++depth;
}

/// Values made since the pool had that size are out of reach.
void Generator::leave(const std::string &tail, size_t poolSize) {
  pool.resize(poolSize);
  indent -= 2;
  --depth;
  line(tail);
}

} // namespace trisect::fuzz
