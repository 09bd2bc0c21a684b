//===- TrisectRun.cpp - trisect-run: TTIR without Python ------------------------------------------------===//
//
// What: runs a .ttir file over a grid with arguments from the command line, or run-test files, or every
// module of a folder with arguments made up for it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/observe/Trace.h"
#include "interp/program/Decode.h"
#include "interp/run/Run.h"
#include "interp/shadow/ShadowRun.h"
#include "interp/tools/Corpus.h"
#include "interp/tools/RunTest.h"
#include "interp/tools/TestFile.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace {

using namespace trisect;
using namespace trisect::tools;

constexpr const char *usage =
    R"(usage: trisect-run FILE.ttir [--kernel NAME] [--grid X[,Y[,Z]]] [--arg WORD]...
                   [--out N=FILE.npy]... [--print N]... [--numerics ieee|cuda] [--threads N] [--seed N] [--times N]
                   [--trace ID] [--probe FOLDER [--probe-program ID]] [--sanitize KINDS [--collect N]]
       trisect-run --test [--xunit=FILE] [--limit SECONDS] FILE...
       trisect-run --corpus FOLDER [--limit SECONDS] [--reasons FILE] [--list]

WORD is a number, `type[extents]`, `type[extents]:generator`, `@FILE.npy` or `desc WORD` (docs/run-tests.md).
)";

[[noreturn]] void bad(const std::string &what) { throw InvalidInput(what + "\n" + usage); }

int runTests(const std::vector<std::string> &words) {
  std::string xunit;
  double limit = 20;
  std::vector<CaseResult> all;
  TestedTier tier = interpreterTier();
  for (size_t n = 0; n < words.size(); ++n) {
    if (words[n].starts_with("--xunit=")) {
      xunit = words[n].substr(8);
    } else if (words[n] == "--limit" && n + 1 < words.size()) {
      limit = std::atof(words[++n].c_str());
    } else if (words[n].starts_with("--")) {
      bad("unknown option " + words[n]);
    } else {
      for (CaseResult &result : runTestFile(words[n], tier, limit)) {
        const char *verdict = result.verdict == Verdict::Passed   ? "passed "
                              : result.verdict == Verdict::Failed ? "FAILED "
                                                                  : "skipped";
        std::printf("%s %s\n", verdict, result.name.c_str());
        if (result.verdict == Verdict::Failed)
          std::printf("  %s\n", result.message.c_str());
        all.push_back(std::move(result));
      }
    }
  }
  size_t counts[3] = {};
  for (const CaseResult &result : all)
    ++counts[static_cast<int>(result.verdict)];
  std::printf("%zu passed, %zu failed, %zu skipped\n", counts[0], counts[1], counts[2]);
  if (!xunit.empty())
    writeXunit(xunit, all);
  return counts[1] || all.empty() ? 1 : 0;
}

void printBuffer(size_t index, const Buffer &buffer) {
  std::printf("argument %zu: %s[", index, std::string(name(buffer.type)).c_str());
  for (size_t d = 0; d < buffer.shape.size(); ++d)
    std::printf("%s%lld", d ? ", " : "", static_cast<long long>(buffer.shape[d]));
  std::printf("] =");
  int64_t shown = std::min<int64_t>(buffer.elements(), 64);
  for (int64_t at = 0; at < shown; ++at)
    std::printf(" %s", interp::formatElement(buffer.bits(at), buffer.type).c_str());
  std::printf("%s\n", shown < buffer.elements() ? " ..." : "");
}

/// Intermediate blocks as .npy files, with an index of where each comes from.
class ProbeFolder {
public:
  ProbeFolder(const std::string &path, const interp::Program &program) : path(path), program(program) {
    if (path.empty())
      return;
    std::filesystem::create_directories(path);
    index.open(path + "/index.txt");
  }
  void keep(interp::ProbedBlock block) {
    char file[32];
    std::snprintf(file, sizeof(file), "%06d.npy", count++);
    index << file << " " << program.position(*block.instr).str() << " " << info(block.instr->op).mnemonic
          << " " << program.strings[program.slots[block.slot].name] << "\n";
    writeNpy(path + "/" + file, {block.type, block.shape, std::move(block.data)});
  }

private:
  std::string path;
  const interp::Program &program;
  std::ofstream index;
  int count = 0;
};

/// What the command line asks for.
struct Request {
  std::string file, kernel, probeFolder;
  Grid grid;
  std::vector<Argument> arguments;
  std::vector<std::pair<size_t, std::string>> outputs;
  std::vector<size_t> prints;
  interp::RunOptions options;
  int times = 1;
  std::optional<int64_t> traced;
  int64_t probed = 0;

  explicit Request(const std::vector<std::string> &words) {
    for (size_t n = 0; n < words.size(); ++n) {
      const std::string &word = words[n];
      if (word.starts_with("--")) {
        if (n + 1 >= words.size())
          bad(word + " lacks its value");
        take(word, words[++n]);
        continue;
      }
      if (!file.empty())
        bad("two files: " + file + " and " + word);
      file = word;
    }
    if (file.empty())
      bad("no file");
  }

  const Buffer &buffer(size_t n) const {
    if (n >= arguments.size() || !arguments[n].buffer)
      bad("argument " + std::to_string(n) + " is no buffer");
    return *arguments[n].buffer;
  }

private:
  void take(const std::string &word, const std::string &value) {
    if (word == "--kernel")
      kernel = value;
    else if (word == "--grid")
      grid = parseGrid(value);
    else if (word == "--arg")
      arguments.push_back(parseArgument(value, arguments));
    else if (word == "--out")
      takeOutput(value);
    else if (word == "--print")
      prints.push_back(static_cast<size_t>(wholeNumber(value, "--print", 0, INT32_MAX)));
    else if (word == "--numerics" && (value == "ieee" || value == "cuda"))
      options.numerics = value == "cuda" ? interp::Numerics::Cuda : interp::Numerics::Ieee;
    else if (word == "--threads")
      options.threads = static_cast<int>(wholeNumber(value, "--threads", 1, mostThreads));
    else if (word == "--seed")
      options.seed = static_cast<uint64_t>(wholeNumber(value, "--seed", 0, INT64_MAX));
    else if (word == "--trace")
      traced = wholeNumber(value, "--trace", 0, INT64_MAX);
    else if (word == "--sanitize")
      options.sanitize.kinds = SanitizeOptions::parse(value).kinds;
    else if (word == "--collect")
      options.sanitize.collect = static_cast<int>(wholeNumber(value, "--collect", 1, INT32_MAX));
    else if (word == "--probe")
      probeFolder = value;
    else if (word == "--probe-program")
      probed = wholeNumber(value, "--probe-program", 0, INT64_MAX);
    else if (word == "--times")
      times = static_cast<int>(wholeNumber(value, "--times", 1, INT32_MAX));
    else
      bad("unknown option " + word + " " + value);
  }

  void takeOutput(const std::string &value) {
    size_t equals = value.find('=');
    if (equals == std::string::npos)
      bad("--out takes N=FILE.npy");
    outputs.emplace_back(wholeNumber(value.substr(0, equals), "the buffer of --out", 0, INT32_MAX),
                         value.substr(equals + 1));
  }
};

/// Runs the program as asked, and tells what shadow mode collected.
void runProgram(Request &asked, const interp::Program &program) {
  const std::vector<Argument> &arguments = asked.arguments;
  if (program.parameters.size() != arguments.size())
    bad("kernel " + program.kernel + " takes " + std::to_string(program.parameters.size()) + " arguments, " +
        std::to_string(arguments.size()) + " are given");
  std::vector<ArgBits> bits;
  std::vector<TensorView> tensors;
  for (size_t n = 0; n < arguments.size(); ++n) {
    bits.push_back(arguments[n].bitsFor(program.parameters[n].type));
    if (arguments[n].buffer)
      tensors.push_back(viewOf(*arguments[n].buffer, n, program.parameters[n].name));
  }
  LaunchRequest request{asked.grid, bits, tensors};
  interp::Trace trace(asked.traced.value_or(0), [](const std::string &line) { std::puts(line.c_str()); });
  ProbeFolder folder(asked.probeFolder, program);
  interp::Probe probe(asked.probed, [&](interp::ProbedBlock block) { folder.keep(std::move(block)); });
  if (asked.traced)
    asked.options.observer = &trace;
  if (!asked.probeFolder.empty())
    asked.options.observer = &probe;
  std::vector<Finding> findings;
  asked.options.findings = &findings;
  for (int n = 0; n < asked.times; ++n)
    interp::run(program, request, asked.options);
  for (const Finding &finding : findings)
    std::printf("%s\n  %lld times\n", interp::faultText(finding).c_str(),
                static_cast<long long>(finding.count));
}

int runFile(const std::vector<std::string> &words) {
  Request asked(words);
  mlir::MLIRContext context;
  tt::loadDialects(context);
  auto module = tt::parseModuleFile(asked.file, context);
  runProgram(asked, *interp::decode(*module, asked.kernel));
  for (auto &[n, path] : asked.outputs)
    writeNpy(path, asked.buffer(n));
  for (size_t n : asked.prints)
    printBuffer(n, asked.buffer(n));
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.empty() || words[0] == "--help") {
      std::fputs(usage, words.empty() ? stderr : stdout);
      return words.empty() ? 2 : 0;
    }
    if (words[0] == "--test")
      return runTests({words.begin() + 1, words.end()});
    if (words[0] == "--corpus")
      return runCorpus({words.begin() + 1, words.end()});
    return runFile(words);
  } catch (const KernelFault &fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 3;
  } catch (const Unsupported &reason) {
    std::fprintf(stderr, "%s\n", reason.what());
    return 4;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "trisect-run: %s\n", error.what());
    return 2;
  }
}
