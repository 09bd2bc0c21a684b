//===- Verdict.cpp - verdicts as text -------------------------------------------------------------------===//
#include "jit/check/Verdict.h"
#include <cstdio>

namespace trisect::jit {

std::string_view verdictName(VerdictKind kind) {
  switch (kind) {
  case VerdictKind::Equal:
    return "equal";
  case VerdictKind::Within:
    return "within bound";
  case VerdictKind::Different:
    return "different";
  case VerdictKind::Inconclusive:
    return "inconclusive";
  }
  return "";
}

std::string Difference::describe(const std::string &tier) const {
  std::string text;
  if (tensor.empty()) {
    char address16[32];
    std::snprintf(address16, sizeof(address16), "0x%llx", static_cast<unsigned long long>(address));
    text = std::string("memory at ") + address16;
  } else {
    text = tensor + "[";
    for (size_t d = 0; d < index.size(); ++d)
      text += (d ? ", " : "") + std::to_string(index[d]);
    text += "]";
  }
  text += stray ? ": tier 0 leaves " + expected + ", " + tier + " writes " + found
                : ": tier 0 has " + expected + ", " + tier + " has " + found;
  if (ulp)
    text += " (" + std::to_string(*ulp) + " ULP)";
  return text + ", in program " + std::to_string(program);
}

std::string Verdict::describe(const std::string &tier) const {
  std::string text(verdictName(kind));
  if (kind == VerdictKind::Inconclusive)
    return text + ", " + reason + (first ? "; first " + first->describe(tier) : "");
  if (kind == VerdictKind::Different) {
    text += first ? " at " + first->describe(tier) : ", " + reason;
    if (first)
      text += "; " + std::to_string(differing) + (differing == 1 ? " element differs" : " elements differ");
  }
  if (kind == VerdictKind::Within && within)
    text += ", " + std::to_string(within) + (within == 1 ? " element" : " elements") +
            " not tier 0's, at most " + std::to_string(largestUlp.value_or(0)) + " ULP apart";
  if (doubtful)
    text += ", " + std::to_string(doubtful) + " bytes in doubt left out";
  return text + ", " + std::to_string(programs) + (programs == 1 ? " program, " : " programs, ") +
         std::to_string(bytes) + " bytes compared";
}

} // namespace trisect::jit
