//===- TestFile.cpp - lines of a run-test file ----------------------------------------------------------===//
#include "interp/tools/TestFile.h"
#include "core/support/Files.h"
#include "core/support/GridSize.h"
#include "core/support/Outcome.h"
#include "core/support/Sanitize.h"
#include "core/support/Text.h"
#include <algorithm>
#include <sstream>

namespace trisect::tools {

Grid parseGrid(std::string_view text) {
  Grid grid;
  int32_t *extents[] = {&grid.x, &grid.y, &grid.z};
  auto words = splitOutside(text, ',');
  if (words.size() > 3)
    throw InvalidInput("a grid has at most three extents: '" + std::string(text) + "'");
  for (size_t n = 0; n < words.size(); ++n)
    *extents[n] = static_cast<int32_t>(wholeNumber(words[n], "an extent of a grid", 0, INT32_MAX));
  countPrograms(grid);
  return grid;
}

namespace {

/// The lines of a file, one after another.
class Reader {
public:
  std::vector<TestPart> parts = std::vector<TestPart>(1);

  void line(const std::string &text) {
    ++number;
    part().body += text + "\n";
    std::string_view view = trim(text);
    if (view == "// -----")
      return next();
    if (view.starts_with("//"))
      comment(trim(view.substr(2)));
  }

private:
  int number = 0;

  TestPart &part() { return parts.back(); }
  [[noreturn]] void bad(const std::string &what) const {
    throw InvalidInput("line " + std::to_string(number) + ": " + what);
  }
  /// What `read` makes of a word of this line, which its error then names.
  template <typename Read> auto here(Read read) const {
    try {
      return read();
    } catch (const InvalidInput &error) {
      bad(error.what());
    }
  }
  int64_t whole(std::string_view text, const char *what, int64_t least, int64_t most) const {
    return here([&] { return wholeNumber(text, what, least, most); });
  }
  TestRun &runBefore(const char *what) {
    if (part().runs.empty())
      bad(std::string("'") + what + "' before any 'run:'");
    return part().runs.back();
  }

  void next() {
    TestPart next;
    next.line = number + 1;
    next.tiers = parts.front().tiers;
    next.tolerance = parts.front().tolerance;
    next.tolerances = parts.front().tolerances;
    next.body = std::string(static_cast<size_t>(number), '\n'); // keeps line numbers right
    parts.push_back(std::move(next));
  }

  void comment(std::string_view view) {
    auto after = [&](std::string_view key) { return std::string(trim(view.substr(key.size()))); };
    if (view.starts_with("tiers:")) {
      part().tiers.clear();
      std::string names = after("tiers:");
      for (std::string_view word : splitOutside(names, ','))
        part().tiers.push_back(tier(word));
    } else if (view.starts_with("tolerance:")) {
      part().tolerance = here([&] { return Tolerance::parse(after("tolerance:")); });
    } else if (view.starts_with("tolerance(")) {
      auto [tier, text] = ofTier(view, "'tolerance(TIER): tolerance'");
      part().tolerances[tier] = here([&] { return Tolerance::parse(text); });
    } else if (view.starts_with("run:")) {
      part().runs.push_back(run(after("run:")));
    } else if (view.starts_with("expect ")) {
      Expectation made = expectation(view);
      auto &all = runBefore("expect").expects;
      if (std::ranges::any_of(all, [&](const Expectation &each) { return each.argument == made.argument; }))
        bad("argument " + std::to_string(made.argument) + " has two 'expect' lines in one run");
      all.push_back(std::move(made));
    } else if (view.starts_with("fault:")) {
      std::string rest = after("fault:");
      size_t space = rest.find(' ');
      runBefore("fault").fault = rest.substr(0, space);
      if (!faultKindFromName(rest.substr(0, space)))
        bad("unknown kind of fault '" + rest.substr(0, space) + "'");
      runBefore("fault").faultText = space == std::string::npos ? "" : rest.substr(space + 1);
    } else if (view.starts_with("unsupported(")) {
      auto [tier, reason] = ofTier(view, "'unsupported(TIER): reason'");
      if (reason.empty())
        bad("a tier that refuses a part has a reason");
      part().refused[tier] = reason;
    } else if (view.starts_with("unassembled(")) {
      auto [tier, reason] = ofTier(view, "'unassembled(TIER): reason'");
      if (reason.empty())
        bad("an assembler that refuses a part has a reason");
      part().unassembled[tier] = reason;
    } else if (view.starts_with("unsupported:")) {
      runBefore("unsupported").unsupported = after("unsupported:");
    }
  }

  std::string tier(std::string_view word) const {
    if (word != "interp" && word != "cpu" && word != "cuda")
      bad("unknown tier '" + std::string(word) + "' (interp, cpu, cuda)");
    return std::string(word);
  }

  /// `word(TIER): text`.
  std::pair<std::string, std::string> ofTier(std::string_view text, const char *form) const {
    size_t open = text.find('('), close = text.find("):");
    if (close == std::string_view::npos)
      bad(std::string(form) + " lacks its tier");
    return {tier(text.substr(open + 1, close - open - 1)), std::string(trim(text.substr(close + 2)))};
  }

  Expectation expectation(std::string_view view) const {
    size_t colon = view.find(':');
    if (colon == std::string_view::npos)
      bad("'expect N: ...' lacks its colon");
    auto argument =
        static_cast<size_t>(whole(view.substr(7, colon - 7), "the argument of 'expect'", 0, INT32_MAX));
    return {argument, std::string(trim(view.substr(colon + 1))), number};
  }

  TestRun run(std::string_view text) const {
    TestRun run;
    run.line = number;
    size_t args = text.find("args:");
    for (std::string_view word : splitOutside(trim(text.substr(0, args)), ' '))
      if (!word.empty())
        setting(word, run);
    if (args != std::string_view::npos)
      run.arguments = std::string(trim(text.substr(args + 5)));
    return run;
  }

  void setting(std::string_view word, TestRun &run) const {
    size_t equals = word.find('=');
    std::string key(word.substr(0, equals));
    std::string value(equals == std::string_view::npos ? "" : word.substr(equals + 1));
    if (key == "grid")
      run.grid = here([&] { return parseGrid(value); });
    else if (key == "seed")
      run.settings.seed = static_cast<uint64_t>(whole(value, "a seed", 0, INT64_MAX));
    else if (key == "threads")
      run.settings.threads = static_cast<int>(whole(value, "a number of threads", 1, mostThreads));
    else if (key == "kernel")
      run.settings.kernel = value;
    else if (key == "numerics" && (value == "ieee" || value == "cuda"))
      run.settings.cudaNumerics = value == "cuda";
    else if (key == "sanitize") {
      here([&] { return SanitizeOptions::parse(value); });
      run.settings.sanitize = value;
    } else
      bad("unknown setting '" + std::string(word) + "' (grid, seed, threads, kernel, numerics, sanitize)");
  }
};

} // namespace

bool TestPart::isFor(const std::string &tier) const {
  return std::find(tiers.begin(), tiers.end(), tier) != tiers.end();
}

std::vector<TestPart> readTestFile(const std::string &path) {
  std::istringstream file(readFile(path));
  Reader reader;
  for (std::string text; std::getline(file, text);)
    reader.line(text);
  return std::move(reader.parts);
}

} // namespace trisect::tools
