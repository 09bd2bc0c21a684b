//===- RunTest.cpp - parts, runs and expectations -------------------------------------------------------===//
#include "interp/tools/RunTest.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/GridSize.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/tools/Expression.h"
#include "interp/tools/Tolerance.h"
#include "interp/tools/Watchdog.h"
#include "mlir/IR/MLIRContext.h"
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>

namespace trisect::tools {

namespace {

struct Expectation {
  size_t argument = 0;
  std::string text;
  int line = 0;
};

struct Run {
  int line = 0;
  Grid grid;
  std::string arguments;
  RunSettings settings;
  std::vector<Expectation> expects;
  std::string fault, faultText; ///< expected kind and a piece of its message
  std::string unsupported;      ///< expected piece of an Unsupported message
};

struct Part {
  int line = 1;
  std::string body;
  std::vector<std::string> tiers = {"interp"};
  Tolerance tolerance;
  std::map<std::string, Tolerance> tolerances; ///< of tiers that have one of their own
  std::vector<Run> runs;
  std::map<std::string, std::string> refused; ///< by tier: why it cannot run the part
};

/// `tolerance(TIER): tolerance`.
void readTolerance(std::string_view text, int line, Part &part) {
  size_t open = text.find('('), close = text.find("):");
  if (close == std::string_view::npos)
    throw InvalidInput("line " + std::to_string(line) + ": 'tolerance(TIER): tolerance' lacks its tier");
  part.tolerances[std::string(text.substr(open + 1, close - open - 1))] =
      Tolerance::parse(std::string(trim(text.substr(close + 2))));
}

/// `unsupported(TIER): reason`.
void readRefusal(std::string_view text, int line, Part &part) {
  size_t open = text.find('('), close = text.find("):");
  if (close == std::string_view::npos)
    throw InvalidInput("line " + std::to_string(line) + ": 'unsupported(TIER): reason' lacks its tier");
  std::string reason(trim(text.substr(close + 2)));
  if (reason.empty())
    throw InvalidInput("line " + std::to_string(line) + ": a tier that refuses a part has a reason");
  part.refused[std::string(text.substr(open + 1, close - open - 1))] = reason;
}

Grid parseGrid(std::string_view text) {
  Grid grid;
  int32_t *extents[] = {&grid.x, &grid.y, &grid.z};
  auto words = splitOutside(text, ',');
  if (words.size() > 3)
    throw InvalidInput("a grid has at most three extents: '" + std::string(text) + "'");
  for (size_t n = 0; n < words.size(); ++n)
    *extents[n] = std::atoi(std::string(words[n]).c_str());
  countPrograms(grid);
  return grid;
}

Run parseRun(std::string_view text, int line) {
  Run run;
  run.line = line;
  size_t args = text.find("args:");
  for (std::string_view word : splitOutside(trim(text.substr(0, args)), ' ')) {
    if (word.empty())
      continue;
    size_t equals = word.find('=');
    std::string key(word.substr(0, equals));
    std::string value(equals == std::string_view::npos ? "" : word.substr(equals + 1));
    if (key == "grid")
      run.grid = parseGrid(value);
    else if (key == "seed")
      run.settings.seed = std::strtoull(value.c_str(), nullptr, 0);
    else if (key == "threads")
      run.settings.threads = std::atoi(value.c_str());
    else if (key == "kernel")
      run.settings.kernel = value;
    else if (key == "numerics" && (value == "ieee" || value == "cuda"))
      run.settings.cudaNumerics = value == "cuda";
    else if (key == "sanitize")
      run.settings.sanitize = value;
    else
      throw InvalidInput("line " + std::to_string(line) + ": unknown setting '" + std::string(word) +
                         "' (grid, seed, threads, kernel, numerics, sanitize)");
  }
  if (args != std::string_view::npos)
    run.arguments = std::string(trim(text.substr(args + 5)));
  return run;
}

std::vector<Part> parseFile(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw InvalidInput("cannot read '" + path + "'");
  std::vector<Part> parts(1);
  std::string text;
  int line = 0;
  auto need = [&](const char *what) -> Run & {
    if (parts.back().runs.empty())
      throw InvalidInput("line " + std::to_string(line) + ": '" + what + "' before any 'run:'");
    return parts.back().runs.back();
  };
  while (std::getline(file, text)) {
    ++line;
    parts.back().body += text + "\n";
    std::string_view view = trim(text);
    if (view == "// -----") {
      Part next;
      next.line = line + 1;
      next.tiers = parts.front().tiers;
      next.tolerance = parts.front().tolerance;
      next.tolerances = parts.front().tolerances;
      next.body = std::string(static_cast<size_t>(line), '\n'); // keeps line numbers right
      parts.push_back(std::move(next));
      continue;
    }
    if (!view.starts_with("//"))
      continue;
    view = trim(view.substr(2));
    auto after = [&](std::string_view key) { return std::string(trim(view.substr(key.size()))); };
    if (view.starts_with("tiers:")) {
      parts.back().tiers.clear();
      std::string names = after("tiers:");
      for (std::string_view word : splitOutside(names, ','))
        parts.back().tiers.emplace_back(word);
    } else if (view.starts_with("tolerance:")) {
      parts.back().tolerance = Tolerance::parse(after("tolerance:"));
    } else if (view.starts_with("tolerance(")) {
      readTolerance(view, line, parts.back());
    } else if (view.starts_with("run:")) {
      parts.back().runs.push_back(parseRun(after("run:"), line));
    } else if (view.starts_with("expect ")) {
      size_t colon = view.find(':');
      if (colon == std::string_view::npos)
        throw InvalidInput("line " + std::to_string(line) + ": 'expect N: ...' lacks its colon");
      Expectation expect;
      expect.argument = static_cast<size_t>(std::atoi(std::string(view.substr(7, colon - 7)).c_str()));
      expect.text = std::string(trim(view.substr(colon + 1)));
      expect.line = line;
      need("expect").expects.push_back(expect);
    } else if (view.starts_with("fault:")) {
      std::string rest = after("fault:");
      size_t space = rest.find(' ');
      need("fault").fault = rest.substr(0, space);
      need("fault").faultText = space == std::string::npos ? "" : rest.substr(space + 1);
    } else if (view.starts_with("unsupported(")) {
      readRefusal(view, line, parts.back());
    } else if (view.starts_with("unsupported:")) {
      need("unsupported").unsupported = after("unsupported:");
    }
  }
  return parts;
}

/// Empty if the buffer holds what is expected, else the first difference.
std::string compare(const Buffer &got, const Expectation &expect, const std::vector<Buffer> &before,
                    const Tolerance &tolerance) {
  if (expect.text == "any")
    return "";
  std::string place = "line " + std::to_string(expect.line) + ": argument " + std::to_string(expect.argument);
  std::vector<std::string_view> list;
  std::unique_ptr<Expression> formula;
  if (expect.text.starts_with("[")) {
    list = splitOutside(std::string_view(expect.text).substr(1, expect.text.rfind(']') - 1), ',');
    if (static_cast<int64_t>(list.size()) != got.elements())
      return place + " has " + std::to_string(got.elements()) + " elements, " + std::to_string(list.size()) +
             " are expected";
  } else {
    formula = std::make_unique<Expression>(expect.text);
  }
  Scope scope;
  scope.buffers = &before;
  for (int64_t at = 0; at < got.elements(); ++at) {
    uint64_t want;
    if (formula) {
      scope.variables["i"] = at;
      int64_t rest = at;
      for (size_t d = got.shape.size(); d-- > 0;) {
        scope.variables["i" + std::to_string(d)] = rest % got.shape[d];
        rest /= got.shape[d];
      }
      want = encodeNumber(formula->evaluate(scope), got.type);
    } else {
      want = parseBits(list[static_cast<size_t>(at)], got.type);
    }
    if (!tolerance.allows(got.bits(at), want, got.type))
      return place + "[" + std::to_string(at) + "] is " + interp::formatElement(got.bits(at), got.type) +
             " (" + interp::formatElement(got.bits(at), got.type, true) + "), expected " +
             interp::formatElement(want, got.type) + " (" + interp::formatElement(want, got.type, true) + ")";
  }
  return "";
}

std::string runOnce(mlir::ModuleOp module, const Run &run, const Part &part, const TierUnderTest &tier,
                    const std::string &variant, double limitSeconds) {
  std::string place =
      "line " + std::to_string(run.line) + (variant.empty() ? "" : " (" + variant + ")") + ": ";
  std::vector<Argument> arguments = parseArguments(run.arguments);
  std::vector<Buffer> before(arguments.size());
  for (size_t n = 0; n < arguments.size(); ++n)
    if (arguments[n].buffer)
      before[n] = *arguments[n].buffer;
  // A defect that only a sanitizer sees: the other ways of running do not.
  bool sanitized = run.settings.sanitize != "on" && run.settings.sanitize != "off";
  if (sanitized && variant != "shadow")
    return "";
  std::atomic<bool> stop{false};
  try {
    Watchdog watchdog(limitSeconds, stop);
    tier.launch(module, run.settings, variant, arguments, run.grid, stop);
  } catch (const KernelFault &fault) {
    std::string kind(faultKindName(fault.fault().kind));
    if (run.fault == kind && std::string(fault.what()).find(run.faultText) != std::string::npos)
      return "";
    return place + fault.what();
  } catch (const Unsupported &reason) {
    if (!run.unsupported.empty() && std::string(reason.what()).find(run.unsupported) != std::string::npos)
      return "";
    if (tier.mayRefuse)
      throw;
    return place + reason.what();
  } catch (const std::exception &error) {
    return place + error.what();
  } catch (...) {
    return place + (stop ? "stopped after " + std::to_string(limitSeconds) + " s" : "interrupted");
  }
  if (!run.fault.empty())
    return place + "expected a fault of kind " + run.fault + ", the run ended well";
  if (!run.unsupported.empty())
    return place + "expected it to be unsupported, the run ended well";
  auto own = part.tolerances.find(tier.name);
  const Tolerance &tolerance = own == part.tolerances.end() ? part.tolerance : own->second;
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (!arguments[n].buffer)
      continue;
    const Expectation *found = nullptr;
    for (const Expectation &expect : run.expects)
      if (expect.argument == n)
        found = &expect;
    if (found) {
      if (std::string problem = compare(*arguments[n].buffer, *found, before, tolerance); !problem.empty())
        return place + problem;
    } else if (arguments[n].buffer->data != before[n].data) {
      return place + "argument " + std::to_string(n) + " changed, and no line expects that";
    }
  }
  for (const Expectation &expect : run.expects)
    if (expect.argument >= arguments.size() || !arguments[expect.argument].buffer)
      return place + "line " + std::to_string(expect.line) + " expects a buffer that is no argument";
  return "";
}

/// The text without its position: skipped parts are counted by reason.
std::string reasonAlone(const Unsupported &reason) {
  std::string text = reason.what(), place = reason.position().str() + ": ";
  return text.starts_with(place) ? text.substr(place.size()) : text;
}

/// A tier that the part names has to run it, unless the part says which reason it has not to.
CaseResult judgeRefusal(const Part &part, const TierUnderTest &tier, const std::string &reason) {
  auto expected = part.refused.find(tier.name);
  bool known = expected != part.refused.end() && reason.find(expected->second) != std::string::npos;
  if (known && tier.mayRefuse)
    return {"", Verdict::Skipped, reason, 0};
  std::string line = " and no line says 'unsupported(" + tier.name + "): REASON'";
  if (expected != part.refused.end())
    line = " but the line says: " + expected->second;
  return {"", Verdict::Failed, tier.name + " refuses what the file declares for it: " + reason + "," + line,
          0};
}

CaseResult runPart(const Part &part, const TierUnderTest &tier, double limitSeconds) {
  CaseResult result;
  if (std::find(part.tiers.begin(), part.tiers.end(), tier.name) == part.tiers.end()) {
    result.verdict = Verdict::Skipped;
    result.message = "not for tier " + tier.name;
    return result;
  }
  if (part.runs.empty()) {
    result.verdict = Verdict::Failed;
    result.message = "line " + std::to_string(part.line) + ": no 'run:' line";
    return result;
  }
  try {
    mlir::MLIRContext context;
    tt::loadDialects(context);
    auto module = tt::parseModule(part.body, "test", context);
    for (const Run &run : part.runs)
      for (const std::string &variant : tier.variants)
        if (std::string problem = runOnce(*module, run, part, tier, variant, limitSeconds);
            !problem.empty()) {
          result.verdict = Verdict::Failed;
          result.message = problem;
          return result;
        }
    if (part.refused.contains(tier.name)) {
      result.verdict = Verdict::Failed;
      result.message = "a line says unsupported(" + tier.name + "), but the tier runs it: drop the line";
    }
  } catch (const Unsupported &reason) {
    return judgeRefusal(part, tier, reasonAlone(reason));
  } catch (const Error &error) {
    result.verdict = Verdict::Failed;
    result.message = error.what();
  }
  return result;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

} // namespace

std::vector<CaseResult> runTestFile(const std::string &path, const TierUnderTest &tier, double limitSeconds) {
  std::vector<CaseResult> results;
  std::vector<Part> parts;
  try {
    parts = parseFile(path);
  } catch (const Error &error) {
    results.push_back({path, Verdict::Failed, error.what(), 0});
    return results;
  }
  for (size_t n = 0; n < parts.size(); ++n) {
    auto started = std::chrono::steady_clock::now();
    CaseResult result = runPart(parts[n], tier, limitSeconds);
    result.name = path + (parts.size() > 1 ? " part " + std::to_string(n + 1) : "");
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    results.push_back(std::move(result));
  }
  return results;
}

void writeXunit(const std::string &path, const std::vector<CaseResult> &results) {
  size_t failed = 0, skipped = 0;
  for (const CaseResult &each : results) {
    failed += each.verdict == Verdict::Failed;
    skipped += each.verdict == Verdict::Skipped;
  }
  std::ofstream file(path);
  file << "<testsuites><testsuite name=\"ops\" tests=\"" << results.size() << "\" failures=\"" << failed
       << "\" skipped=\"" << skipped << "\">\n";
  for (const CaseResult &each : results) {
    file << "<testcase classname=\"ops\" name=\"" << escaped(each.name) << "\" time=\"" << each.seconds
         << "\">";
    if (each.verdict == Verdict::Failed)
      file << "<failure message=\"" << escaped(each.message) << "\"/>";
    if (each.verdict == Verdict::Skipped)
      file << "<skipped message=\"" << escaped(each.message) << "\"/>";
    file << "</testcase>\n";
  }
  file << "</testsuite></testsuites>\n";
}

} // namespace trisect::tools
