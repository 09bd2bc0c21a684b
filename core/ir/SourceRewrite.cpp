//===- SourceRewrite.cpp - spellings that MLIR 19 cannot parse ------------------------------------------===//
#include "core/ir/SourceRewrite.h"
#include <algorithm>
#include <cctype>

namespace trisect::tt {

namespace {

/// In the generic form: an operation whose properties name `key` becomes `replacement` (none: it keeps its
/// name), with or without its properties.
struct GenericRule {
  std::string_view op, key, replacement;
  bool keepProperties;
};
constexpr GenericRule genericRules[] = {
    {"scf.for", "unsignedCmp", "tt.ufor", false},
    {"llvm.intr.assume", "op_bundle_sizes", "tt.assume", true},
    {"tt.dot_scaled", "lhs_type", "tt.scaled_dot", true},
    {"arith.trunci", "overflowFlags", "", false},
    {"arith.extui", "nonNeg", "", false},
    {"arith.uitofp", "nonNeg", "", false},
    {"arith.extf", "fastmath", "", false},
};

/// In the custom form: a name (and a word after it) becomes `replacement`.
struct CustomRule {
  std::string_view op, word, replacement;
};
constexpr CustomRule customRules[] = {
    {"scf.for", "unsigned", "tt.ufor"},
    {"llvm.intr.assume", "", "tt.assume"},
};

bool isNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

class Rewriter {
public:
  explicit Rewriter(std::string_view text) : text(text), out(text) {}

  std::optional<std::string> run() {
    for (size_t at = 0; at < text.size();)
      at = step(at);
    if (!changed)
      return std::nullopt;
    return std::move(out);
  }

private:
  /// Handles the token at `at`; returns where the next one begins.
  size_t step(size_t at) {
    char c = text[at];
    if (c == '"')
      return quotedName(at);
    if (c == '/' && text.substr(at, 2) == "//")
      return std::min(text.find('\n', at), text.size());
    if (c == '%' || c == '@' || c == '#' || c == '!' || c == '^')
      return skipName(at + 1);
    return isNameChar(c) ? bareName(at) : at + 1;
  }

  size_t skipName(size_t at) const {
    while (at < text.size() && isNameChar(text[at]))
      ++at;
    return at;
  }

  size_t skipSpace(size_t at) const {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    return at;
  }

  /// Behind the string that begins at `at`.
  size_t skipString(size_t at) const {
    for (++at; at < text.size() && text[at] != '"'; ++at)
      if (text[at] == '\\')
        ++at;
    return std::min(at + 1, text.size());
  }

  /// Behind the bracket that closes the one at `at`; strings inside are skipped.
  size_t skipBrackets(size_t at) const {
    int depth = 0;
    while (at < text.size()) {
      char c = text[at];
      if (c == '"') {
        at = skipString(at);
        continue;
      }
      depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
      ++at;
      if (depth == 0)
        break;
    }
    return at;
  }

  /// Overwrites a range with `name` and spaces.
  void replace(size_t begin, size_t end, std::string_view name) {
    std::fill(out.begin() + begin, out.begin() + end, ' ');
    std::copy(name.begin(), name.end(), out.begin() + begin);
    changed = true;
  }

  size_t bareName(size_t begin) {
    size_t end = skipName(begin);
    std::string_view name = text.substr(begin, end - begin);
    for (const CustomRule &rule : customRules) {
      if (name != rule.op)
        continue;
      size_t word = skipSpace(end);
      size_t wordEnd = skipName(word);
      if (rule.word.empty())
        replace(begin, end, rule.replacement);
      else if (text.substr(word, wordEnd - word) == rule.word)
        replace(begin, end = wordEnd, rule.replacement);
    }
    return end;
  }

  size_t quotedName(size_t begin) {
    size_t end = skipString(begin);
    std::string_view name = text.substr(begin + 1, end - begin - 2);
    for (const GenericRule &rule : genericRules)
      if (name == rule.op)
        applyGeneric(rule, begin, end);
    return end;
  }

  /// `"op"(operands)[successors] <{properties}>`.
  void applyGeneric(const GenericRule &rule, size_t begin, size_t end) {
    size_t at = skipSpace(end);
    if (at >= text.size() || text[at] != '(')
      return;
    at = skipSpace(skipBrackets(at));
    if (at < text.size() && text[at] == '[')
      at = skipSpace(skipBrackets(at));
    if (text.substr(at, 2) != "<{")
      return;
    size_t close = skipBrackets(at + 1);
    std::string_view properties = text.substr(at, close - at);
    if (close >= text.size() || text[close] != '>' || properties.find(rule.key) == std::string_view::npos)
      return;
    if (!rule.replacement.empty())
      replace(begin, end, "\"" + std::string(rule.replacement) + "\"");
    if (!rule.keepProperties)
      replace(at, close + 1, "");
  }

  std::string_view text;
  std::string out;
  bool changed = false;
};

} // namespace

std::string withSourceNames(std::string message) {
  for (const GenericRule &rule : genericRules) {
    std::string renamed = "'" + std::string(rule.replacement) + "'";
    for (size_t at = 0; !rule.replacement.empty() && (at = message.find(renamed, at)) != std::string::npos;)
      message.replace(at + 1, rule.replacement.size(), rule.op);
  }
  return message;
}

std::optional<std::string> rewriteSource(std::string_view text) {
  auto mentions = [&](const auto &rule) { return text.find(rule.op) != std::string_view::npos; };
  if (std::none_of(std::begin(genericRules), std::end(genericRules), mentions) &&
      std::none_of(std::begin(customRules), std::end(customRules), mentions))
    return std::nullopt;
  return Rewriter(text).run();
}

} // namespace trisect::tt
