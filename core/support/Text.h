//===- Text.h - small helpers for words and lists -------------------------------------------------------===//
//
// What: trimming, and splitting outside brackets.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_TEXT_H
#define TRISECT_CORE_SUPPORT_TEXT_H

#include <cctype>
#include <string_view>
#include <vector>

namespace trisect {

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

/// Splits at a separator outside brackets of any kind.
inline std::vector<std::string_view> splitOutside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t from = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at == text.size() || (text[at] == separator && depth == 0)) {
      parts.push_back(trim(text.substr(from, at - from)));
      from = at + 1;
      continue;
    }
    char c = text[at];
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
  }
  return parts;
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_TEXT_H
