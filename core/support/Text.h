//===- Text.h - small helpers for words and lists -------------------------------------------------------===//
//
// What: trimming, splitting outside brackets, lists of words, and numbers that are one from their first
// character to their last.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_TEXT_H
#define TRISECT_CORE_SUPPORT_TEXT_H

#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
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

/// The words with commas between them, as errors list them.
template <typename Words> std::string listed(Words &&words) {
  std::string text;
  for (std::string_view word : words)
    text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

/// A whole number in decimal, if all of the text is one that 64 bits hold.
inline std::optional<int64_t> parseInteger(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_TEXT_H
