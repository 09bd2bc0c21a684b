//===- MutateTtir.cpp - mutations that know what a token and a line of TTIR are -------------------------===//
//
// What: libFuzzer's mutator hook. Half of the mutations work on bytes as usual; the others replace a token by
// another one of the same text, nudge a number, or drop, double and move lines.
// Why: nearly every change of a byte is refused by the lexer; these reach verifiers and passes.
//
//===----------------------------------------------------------------------------------------------------===//
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {
using Random = std::minstd_rand;

size_t below(Random &random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

bool inWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%' || c == '!' ||
         c == '@' || c == '#' || c == '-';
}

/// Words (`%x`, `tt.load`, `16x32xf32`) and single other characters that are no white space.
std::vector<std::string_view> tokens(std::string_view text) {
  std::vector<std::string_view> found;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && inWord(text[end]))
      ++end;
    end = std::max(end, at + 1);
    if (!std::isspace(static_cast<unsigned char>(text[at])))
      found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    found.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return found;
}

std::string replaceToken(std::string_view text, Random &random) {
  auto all = tokens(text);
  if (all.empty())
    return std::string(text);
  std::string_view old = all[below(random, all.size())], other = all[below(random, all.size())];
  // A token of the same sort (value with value, number with number) parses more often.
  for (int tries = 0; tries < 16 && other.front() != old.front(); ++tries)
    other = all[below(random, all.size())];
  size_t at = old.data() - text.data();
  return std::string(text).replace(at, old.size(), std::string(other));
}

std::string nudgeNumber(std::string_view text, Random &random) {
  constexpr const char *numbers[] = {"0",     "1",       "-1",         "2",           "3",
                                     "16",    "1024",    "7",          "31",          "33",
                                     "65536", "1048577", "2147483647", "-2147483648", "8",
                                     "64",    "99",      "131072",     "4294967296",  "9223372036854775807"};
  std::vector<std::string_view> found;
  for (std::string_view token : tokens(text))
    for (size_t i = 0; i < token.size(); ++i)
      if (std::isdigit(static_cast<unsigned char>(token[i]))) {
        size_t end = i;
        while (end < token.size() && std::isdigit(static_cast<unsigned char>(token[end])))
          ++end;
        found.push_back(token.substr(i, end - i));
        i = end;
      }
  if (found.empty())
    return std::string(text);
  std::string_view old = found[below(random, found.size())];
  return std::string(text).replace(old.data() - text.data(), old.size(),
                                   numbers[below(random, std::size(numbers))]);
}

std::string moveLine(std::string_view text, Random &random) {
  auto all = lines(text);
  if (all.size() < 2)
    return std::string(text);
  size_t from = below(random, all.size()), to = below(random, all.size());
  std::string_view line = all[from];
  switch (below(random, 3)) {
  case 0: // drop
    all.erase(all.begin() + from);
    break;
  case 1: // double
    all.insert(all.begin() + to, line);
    break;
  default:
    std::swap(all[from], all[to]);
  }
  std::string joined;
  for (std::string_view part : all)
    joined += part;
  return joined;
}
} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  Random random(seed);
  if (random() % 2 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  for (size_t changes = 1 + below(random, 4); changes > 0; --changes)
    switch (below(random, 4)) {
    case 0:
      text = moveLine(text, random);
      break;
    case 1:
      text = nudgeNumber(text, random);
      break;
    default:
      text = replaceToken(text, random);
    }
  size_t length = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), length);
  return length;
}
