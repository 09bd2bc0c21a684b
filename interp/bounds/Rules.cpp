//===- Rules.cpp - Rules.def by operation ---------------------------------------------------------------===//
#include "interp/bounds/Rules.h"
#include <array>

namespace trisect::interp {

namespace {

struct Rule {
  Course course = Course::Unknown;
  uint16_t tier0 = 0, cuda = 0, wide = 0; ///< hundredths of a ULP
};

constexpr size_t opCount = 0
#define TRISECT_OP(...) +1
#include "core/ops.def"
    ;

constexpr auto rules = [] {
  std::array<Rule, opCount> made{};
#define TRISECT_RULE(op, course, tier0, cuda, wide)                                                          \
  made[static_cast<size_t>(OpId::op)] = {Course::course, tier0, cuda, wide};
#include "interp/bounds/Rules.def"
  return made;
}();

const Rule &ruleOf(OpId op) { return rules[static_cast<size_t>(op)]; }

} // namespace

Course courseOf(OpId op) { return ruleOf(op).course; }

int64_t openUlps(OpId op, DType result, const BoundProfile &profile) {
  const Rule &rule = ruleOf(op);
  if (!isFloat(result) || (!profile.gpu && op != OpId::tt_extern_elementwise))
    return 0;
  if (result == DType::F64)
    return rule.wide ? (2 * rule.wide + 99) / 100 + 1 : 0;
  if (rule.cuda == 0 && rule.tier0 == 0)
    return 0;
  // One more, since a ULP below a power of two is half of one above.
  int64_t apart = (rule.tier0 + rule.cuda + 99) / 100 + 1;
  if (result == DType::F32)
    return apart;
  // A narrower type is rounded from f32: `apart` of those are a fraction of its own.
  return 1 + (apart >> (result == DType::F16 ? 13 : 16));
}

} // namespace trisect::interp
