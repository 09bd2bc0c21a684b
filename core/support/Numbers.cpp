//===- Numbers.cpp - numbers that a user writes ---------------------------------------------------------===//
#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include <cstdio>

namespace trisect {

int64_t wholeNumber(std::string_view text, const char *what, int64_t least, int64_t most) {
  std::optional<int64_t> number = parseInteger(trim(text));
  if (!number || *number < least || *number > most)
    throw InvalidInput(std::string(what) + " is a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most) + ", not '" + std::string(text) + "'");
  return *number;
}

double realNumber(std::string_view text, const char *what, double least, double most) {
  std::string_view word = trim(text);
  double number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || !(number >= least && number <= most)) {
    char range[64];
    std::snprintf(range, sizeof range, "%g to %g", least, most);
    throw InvalidInput(std::string(what) + " is a number from " + range + ", not '" + std::string(text) +
                       "'");
  }
  return number;
}

} // namespace trisect
