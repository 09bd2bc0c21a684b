//===- TextGuard.cpp - refuses text that no TTIR is, before MLIR reads it -------------------------------===//
#include "core/ir/TextGuard.h"
#include "core/ir/ForwardUses.h"
#include <algorithm>
#include <charconv>

namespace trisect::tt {

namespace {
constexpr int deepest = 200;
constexpr uint64_t mostResults = 65536;
constexpr uint64_t widestInteger = 128;
/// Far above what a verifier lets pass; here only the product must not overflow.
constexpr uint64_t mostElements = uint64_t(1) << 31;

/// What TTIR names of foreign dialects whose other parts are not made for it.
constexpr std::string_view foreignDialects[] = {"llvm.", "gpu."};
constexpr std::string_view foreignWords[] = {"llvm.intr.assume",     "llvm.mlir.undef",
                                             "llvm.loop_annotation", "#llvm.loop_annotation",
                                             "#llvm.loop_licm",      "gpu.barrier"};

constexpr std::string_view arrayTypes[] = {"i1", "i8", "i16", "i32", "i64", "f32", "f64"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}
/// Names of values, functions and blocks may have a minus sign: `%c-1_i32`.
bool isName(char c) { return isWord(c) || c == '-'; }
bool isSigil(char c) { return c == '%' || c == '@' || c == '#' || c == '!' || c == '^'; }

/// The number at the front, which is taken off; too large ones become the largest.
uint64_t takeNumber(std::string_view &text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(end - text.data());
  return error == std::errc::result_out_of_range ? ~uint64_t(0) : value;
}

class Guard {
public:
  explicit Guard(SourceText source) : source(source), text(source.text) {}

  void run() {
    for (size_t at = 0; at < text.size();)
      at = step(at);
  }

private:
  [[noreturn]] void refuse(size_t at, std::string message) const {
    std::string_view before = text.substr(0, at);
    auto line = 1 + std::count(before.begin(), before.end(), '\n');
    auto column = at - (before.rfind('\n') + 1) + 1;
    SourcePosition position{std::string(source.file), static_cast<int>(line), static_cast<int>(column)};
    throw InvalidInput(render({Severity::Error, position, std::move(message), 1, {}}, source), position);
  }

  /// Handles the token at `at`; returns where the next one begins.
  size_t step(size_t at) {
    char c = text[at];
    if (c == '"')
      return quoted(at);
    if (c == '/' && text.substr(at, 2) == "//")
      return std::min(text.find('\n', at), text.size());
    if (c == '-' && text.substr(at, 2) == "->")
      return at + 2;
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      if (++depth > deepest)
        refuse(at, "expected at most " + std::to_string(deepest) + " levels of brackets");
      if (c == '{' && !values.open())
        refuse(at, ownValue);
      opened.push_back(c != '(' ? Header::None : parenthesis == Header::None ? Header::Other : parenthesis);
      return at + 1;
    }
    if (c == ')' || c == ']' || c == '}' || c == '>') {
      depth = std::max(depth - 1, 0);
      if (!opened.empty())
        opened.pop_back();
      if (c == '}')
        if (std::optional<size_t> use = values.close())
          refuse(*use, "use of undeclared SSA value name");
      return at + 1;
    }
    if (!isSigil(c) && !isWord(c))
      return at + 1;
    size_t end = at + 1;
    while (end < text.size() && (isSigil(c) ? isName(text[end]) : isWord(text[end])))
      ++end;
    std::string_view name = text.substr(at, end - at);
    if (c == '%') {
      value(at, name);
      return resultNumber(end);
    }
    word(at, name);
    // What a parenthesis right after this word holds, and whether a value after it is a loop's counter or a
    // function's argument.
    parenthesis = c == '^' && !isSuccessor(at) ? Header::Label
                  : c == '@' && afterFunc      ? Header::Function // a call's are uses
                                               : Header::None;
    afterFor = name.ends_with("for") || (afterFor && name == "unsigned");
    afterFunc =
        name.ends_with("func") || (afterFunc && (name == "public" || name == "private" || name == "nested"));
    return end;
  }

  size_t skipSpace(size_t at) const { return std::min(text.find_first_not_of(" \t\r\n", at), text.size()); }

  /// True if the block's name at `at` is where a branch goes, not the label of the block.
  bool isSuccessor(size_t at) const {
    size_t before = text.substr(0, at).find_last_not_of(" \t\r\n");
    if (before == std::string_view::npos)
      return false;
    return text[before] == ',' || text[before] == '[' || text[before] == ':' ||
           text.substr(0, before + 1).ends_with("br");
  }

  /// True if `=` follows, perhaps after a number of results and, in a list of results, after further values.
  bool isAssigned(size_t at, bool list) {
    // All values of a list share one answer.
    if (list && at < listEnd)
      return listAssigned;
    bool assigned = findAssignment(at, list);
    if (list) {
      listEnd = at;
      listAssigned = assigned;
    }
    return assigned;
  }

  bool findAssignment(size_t &at, bool list) const {
    while (true) {
      at = skipSpace(at);
      if (at + 1 < text.size() && text[at] == ':' && isDigit(text[at + 1]))
        at = skipSpace(std::min(text.find_first_not_of("0123456789", at + 1), text.size()));
      if (at >= text.size() || text[at] == '=')
        return at < text.size() && text.substr(at, 2) != "==";
      if (!list || text[at] != ',')
        return false;
      at = skipSpace(at + 1);
      if (at >= text.size() || text[at] != '%')
        return false;
      for (++at; at < text.size() && isName(text[at]);)
        ++at;
    }
  }

  void value(size_t at, std::string_view name) {
    Header holder = opened.empty() ? Header::None : opened.back();
    bool inParenthesis = !opened.empty() && holder != Header::None;
    bool assigned = isAssigned(at + name.size(), /*list=*/!inParenthesis);
    if (holder == Header::Label || (assigned && !inParenthesis && !afterFor)) {
      if (!values.define(name))
        refuse(at, ownValue);
      if (holder != Header::Label && !values.assign(name))
        refuse(at, "redefinition: '" + std::string(name) + "' is the name of a value already");
    } else if (assigned || holder == Header::Function) {
      values.defineInNextRegion(name);
    } else {
      values.use(name, at);
    }
    afterFor = false;
  }

  /// The name of an operation in the generic form is a word, other strings are not looked into.
  size_t quoted(size_t begin) {
    size_t end = begin + 1;
    while (end < text.size() && text[end] != '"')
      end += text[end] == '\\' ? 2 : 1;
    end = std::min(end, text.size());
    size_t after = text.find_first_not_of(" \t\r\n", std::min(end + 1, text.size()));
    if (after != std::string_view::npos && text[after] == '(')
      foreign(begin, text.substr(begin + 1, end - begin - 1));
    return std::min(end + 1, text.size());
  }

  /// `%x#7` and `%x:7`.
  size_t resultNumber(size_t at) {
    if (at + 1 >= text.size() || (text[at] != '#' && text[at] != ':') || !isDigit(text[at + 1]))
      return at;
    std::string_view rest = text.substr(at + 1);
    if (takeNumber(rest) > mostResults)
      refuse(at + 1, "expected a result number of at most " + std::to_string(mostResults));
    return text.size() - rest.size();
  }

  void word(size_t at, std::string_view name) {
    if (name.front() == '%' || name.front() == '@' || name.front() == '^')
      return;
    foreign(at, name);
    shape(at, name);
    if (name == "array")
      array(at + name.size());
  }

  /// `array<i32: 1, 2>`: MLIR reads `array<i1: 1>`, but stores it wrongly.
  void array(size_t at) const {
    at = skipSpace(at);
    if (text.substr(at, 1) != "<")
      return;
    at = skipSpace(at + 1);
    size_t end = at;
    while (end < text.size() && isWord(text[end]))
      ++end;
    std::string_view type = text.substr(at, end - at);
    if (std::find(std::begin(arrayTypes), std::end(arrayTypes), type) == std::end(arrayTypes))
      refuse(at, "expected an array of i1, i8, i16, i32, i64, f32 or f64");
    size_t close = std::min(text.find('>', end), text.size());
    size_t digit = text.substr(0, close).find_first_of("0123456789", end);
    if (type == "i1" && digit != std::string_view::npos)
      refuse(digit, "expected true or false");
  }

  void foreign(size_t at, std::string_view name) {
    std::string_view bare = isSigil(name.empty() ? ' ' : name.front()) ? name.substr(1) : name;
    for (std::string_view dialect : foreignDialects)
      if (bare.starts_with(dialect) &&
          std::find(std::begin(foreignWords), std::end(foreignWords), name) == std::end(foreignWords))
        refuse(at, "'" + std::string(name) + "' is no part of TTIR");
  }

  /// `16x32xf32`, `i64`: dimensions, then perhaps an integer type.
  void shape(size_t at, std::string_view rest) {
    uint64_t elements = 1;
    while (isDigit(rest.front())) {
      uint64_t size = takeNumber(rest);
      if (!rest.starts_with("x"))
        return;
      rest.remove_prefix(1);
      bool tooMany = size > mostElements || elements * size > mostElements;
      if (tooMany)
        refuse(at, "expected a block of at most " + std::to_string(mostElements) + " elements");
      elements *= size;
      if (rest.empty())
        return;
    }
    if (rest.starts_with("si") || rest.starts_with("ui"))
      rest.remove_prefix(1);
    if (rest.size() < 2 || rest[0] != 'i' || !isDigit(rest[1]))
      return;
    rest.remove_prefix(1);
    if (takeNumber(rest) > widestInteger && rest.empty())
      refuse(at, "expected an integer type of at most " + std::to_string(widestInteger) + " bits");
  }

  static constexpr const char *ownValue = "an operation before this uses a value of a region inside it";
  /// What values in a parenthesis are: arguments of a block or of a function, or anything else.
  enum class Header : uint8_t { None, Other, Label, Function };

  SourceText source;
  std::string_view text;
  int depth = 0;
  std::vector<Header> opened; ///< a row for each open bracket; None unless it is a parenthesis
  Header parenthesis = Header::None;
  bool afterFor = false, afterFunc = false;
  size_t listEnd = 0; ///< of the list of values that was looked at last
  bool listAssigned = false;
  ForwardUses values;
};
} // namespace

void guardText(SourceText source) { Guard(source).run(); }

} // namespace trisect::tt
