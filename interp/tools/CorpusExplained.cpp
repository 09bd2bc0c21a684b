//===- CorpusExplained.cpp - findings with a stored reason ----------------------------------------------===//
#include "interp/tools/CorpusExplained.h"
#include "core/support/Files.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include <fnmatch.h>
#include <sstream>

namespace trisect::tools {

namespace {
bool matches(const std::string &pattern, const std::string &name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}
} // namespace

CorpusExplained::CorpusExplained(const std::string &path) {
  std::istringstream file(readFile(path));
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    if (text.empty() || text[0] == '#')
      continue;
    auto parts = splitOutside(text, '|');
    if (parts.size() != 3)
      throw InvalidInput(path + ":" + std::to_string(number) + ": a line is `module | kind | reason`");
    lines.push_back({std::string(parts[0]), std::string(parts[1]), std::string(parts[2])});
  }
}

void CorpusExplained::seen(const std::string &module) {
  for (Line &line : lines)
    line.seen |= matches(line.module, module);
}

bool CorpusExplained::explains(const std::string &module, const std::string &kind) {
  bool found = false;
  for (Line &line : lines)
    if (line.kind == kind && matches(line.module, module))
      line.used = found = true;
  return found;
}

std::vector<std::string> CorpusExplained::outdated() const {
  std::vector<std::string> found;
  for (const Line &line : lines)
    if (line.seen && !line.used)
      found.push_back(line.module + " | " + line.kind);
  return found;
}

} // namespace trisect::tools
