//===- Formula.cpp - steps, one after the other ---------------------------------------------------------===//
#include "backends/target/Formula.h"
#include <algorithm>
#include <array>

namespace trisect {

namespace {
using Kind = FormulaStep::Kind;

int64_t leaf(const FormulaStep &step, const LaunchRequest &launch) {
  auto number = static_cast<uint64_t>(step.value);
  if (step.kind == Kind::Argument)
    return number < launch.args.size() ? static_cast<int64_t>(launch.args[number]) : 0;
  if (step.kind == Kind::Programs)
    return number == 0 ? launch.grid.x : number == 1 ? launch.grid.y : launch.grid.z;
  return step.value;
}

int64_t extended(int64_t bits, int64_t width) {
  if (width < 1 || width > 63)
    return bits;
  auto unused = static_cast<unsigned>(64 - width);
  return static_cast<int64_t>(static_cast<uint64_t>(bits) << unused) >> unused;
}

int64_t divided(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  return b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : a / b;
}

int64_t combined(Kind kind, int64_t a, int64_t b) {
  auto x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  switch (kind) {
  case Kind::Add:
    return static_cast<int64_t>(x + y);
  case Kind::Subtract:
    return static_cast<int64_t>(x - y);
  case Kind::Multiply:
    return static_cast<int64_t>(x * y);
  case Kind::Divide:
    return divided(a, b);
  case Kind::Least:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
}
} // namespace

int64_t valueOf(const Formula &formula, const LaunchRequest &launch) {
  std::array<int64_t, deepestFormula> stack; // every launch comes here: nothing is allocated
  size_t depth = 0;
  for (const FormulaStep &step : formula) {
    bool isLeaf = step.kind <= Kind::Programs, isBinary = step.kind > Kind::Extend;
    if (isLeaf ? depth == deepestFormula : depth < (isBinary ? 2U : 1U))
      return 0;
    if (isLeaf) {
      stack[depth++] = leaf(step, launch);
      continue;
    }
    int64_t last = stack[depth - 1];
    if (isBinary)
      --depth;
    stack[depth - 1] = isBinary ? combined(step.kind, stack[depth - 1], last) : extended(last, step.value);
  }
  return depth == 1 ? stack[0] : 0;
}

} // namespace trisect
