//===- Verdict.cpp - text of a difference ---------------------------------------------------------------===//
#include "jit/check/Verdict.h"
#include <cstdio>

namespace trisect::jit {

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
  text += ": tier 0 has " + expected + ", " + tier + " has " + found;
  if (ulp)
    text += " (" + std::to_string(*ulp) + " ULP)";
  return text + ", written by program " + std::to_string(program);
}

} // namespace trisect::jit
