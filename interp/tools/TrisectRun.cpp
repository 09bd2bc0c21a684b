//===- TrisectRun.cpp - trisect-run: TTIR without Python ------------------------------------------------===//
//
// What: runs a .ttir file over a grid with arguments from the command line, or run-test files, or every
// module of a folder with arguments made up for it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Files.h"
#include "core/support/GridSize.h"
#include "core/support/Tool.h"
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
#include <filesystem>

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

int runTests(const std::vector<std::string> &words) {
  std::string xunit;
  double limit = 20;
  std::vector<CaseResult> all;
  TestedTier tier = interpreterTier();
  std::vector<std::string> files = readOptions(
      words, {textOption("--xunit", xunit), realOption("--limit", limit, leastSeconds, mostSeconds)});
  if (files.empty())
    throw WrongUse("--test needs run-test files");
  for (const std::string &file : files)
    for (CaseResult &result : runTestFile(file, tier, limit)) {
      const char *verdict = result.verdict == Verdict::Passed   ? "passed "
                            : result.verdict == Verdict::Failed ? "FAILED "
                                                                : "skipped";
      std::printf("%s %s\n", verdict, result.name.c_str());
      if (result.verdict == Verdict::Failed)
        std::printf("  %s\n", result.message.c_str());
      all.push_back(std::move(result));
    }
  size_t counts[3] = {};
  for (const CaseResult &result : all)
    ++counts[static_cast<int>(result.verdict)];
  std::printf("%zu passed, %zu failed, %zu skipped\n", counts[0], counts[1], counts[2]);
  if (!xunit.empty())
    writeXunit(xunit, all);
  return counts[1] ? 1 : 0;
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
    std::error_code problem;
    if (!path.empty() && !std::filesystem::create_directories(path, problem) && problem)
      throw InvalidInput("cannot make the folder '" + path + "': " + problem.message());
  }
  void keep(interp::ProbedBlock block) {
    char file[32];
    std::snprintf(file, sizeof(file), "%06d.npy", count++);
    index += std::string(file) + " " + program.position(*block.instr).str() + " " +
             std::string(info(block.instr->op).mnemonic) + " " +
             program.strings[program.slots[block.slot].name] + "\n";
    writeNpy(path + "/" + file, {block.type, block.shape, std::move(block.data)});
  }
  void writeIndex() const {
    if (!path.empty())
      writeFile(path + "/index.txt", {index});
  }

private:
  std::string path, index;
  const interp::Program &program;
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
    int numerics = 0;
    file = onlyWord(
        readOptions(words, {textOption("--kernel", kernel),
                            {"--grid", [this](const std::string &value) { grid = parseGrid(value); }},
                            {"--arg", [this](const std::string &value) { takeArgument(value); }, true, true},
                            {"--out", [this](const std::string &value) { takeOutput(value); }, true, true},
                            {"--print", [this](const std::string &value) { takePrint(value); }, true, true},
                            choiceOption("--numerics", numerics, {"ieee", "cuda"}),
                            wholeOption("--threads", options.threads, 1, mostThreads),
                            wholeOption("--seed", options.seed, 0),
                            wholeOption("--trace", traced, 0),
                            {"--sanitize", [this](const std::string &value) { takeSanitizers(value); }},
                            wholeOption("--collect", options.sanitize.collect, 1),
                            textOption("--probe", probeFolder),
                            wholeOption("--probe-program", probed, 0),
                            wholeOption("--times", times, 1)}),
        "a .ttir file");
    options.numerics = numerics ? interp::Numerics::Cuda : interp::Numerics::Ieee;
    checkProgram(traced.value_or(0), "--trace");
    checkProgram(probed, "--probe-program");
    for (auto &[n, path] : outputs)
      buffer(n);
    for (size_t n : prints)
      buffer(n);
  }

  const Buffer &buffer(size_t n) const {
    if (n >= arguments.size() || !arguments[n].buffer)
      throw WrongUse("argument " + std::to_string(n) + " is no buffer");
    return *arguments[n].buffer;
  }

private:
  void checkProgram(int64_t id, const char *option) const {
    if (int64_t all = countPrograms(grid); id >= std::max<int64_t>(all, 1))
      throw WrongUse(std::string(option) + " names program " + std::to_string(id) + ", and the grid has " +
                     std::to_string(all));
  }
  void takeSanitizers(const std::string &value) {
    try {
      options.sanitize.kinds = SanitizeOptions::parse(value).kinds;
    } catch (const InvalidInput &error) {
      throw WrongUse(std::string("--sanitize takes what TRISECT_SANITIZE does: ") + error.what());
    }
  }
  void takeArgument(const std::string &value) { arguments.push_back(parseArgument(value, arguments)); }
  void takePrint(const std::string &value) {
    prints.push_back(static_cast<size_t>(wholeNumber(value, "--print", 0, INT32_MAX)));
  }
  void takeOutput(const std::string &value) {
    size_t equals = value.find('=');
    if (equals == std::string::npos || equals + 1 == value.size())
      throw WrongUse("--out takes N=FILE.npy, not '" + value + "'");
    outputs.emplace_back(wholeNumber(value.substr(0, equals), "the buffer of --out", 0, INT32_MAX),
                         value.substr(equals + 1));
  }
};

/// Runs the program as asked, and tells what shadow mode collected.
void runProgram(Request &asked, const interp::Program &program) {
  const std::vector<Argument> &arguments = asked.arguments;
  if (program.parameters.size() != arguments.size())
    throw WrongUse("kernel " + program.kernel + " takes " + std::to_string(program.parameters.size()) +
                   " arguments, " + std::to_string(arguments.size()) + " are given");
  std::vector<ArgBits> bits;
  std::vector<TensorView> tensors;
  for (size_t n = 0; n < arguments.size(); ++n) {
    const interp::Parameter &parameter = program.parameters[n];
    if (parameter.descriptor)
      arguments[n].mustFit(parameter.pointee, parameter.descriptorRank);
    else
      arguments[n].mustFit(parameter.type, 0);
    bits.push_back(arguments[n].bitsFor(parameter.type));
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
  try {
    for (int n = 0; n < asked.times; ++n)
      interp::run(program, request, asked.options);
  } catch (...) { // what came before a fault is there
    folder.writeIndex();
    throw;
  }
  folder.writeIndex();
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
  for (size_t n : asked.prints)
    printBuffer(n, asked.buffer(n));
  std::string problems; // a file that cannot be written keeps none of the others
  for (auto &[n, path] : asked.outputs)
    try {
      writeNpy(path, asked.buffer(n));
    } catch (const InvalidInput &error) {
      problems += (problems.empty() ? "" : "\n") + std::string(error.what());
    }
  if (!problems.empty())
    throw InvalidInput(problems);
  return 0;
}

int run(const std::vector<std::string> &words) {
  if (words[0] == "--test")
    return runTests({words.begin() + 1, words.end()});
  if (words[0] == "--corpus")
    return runCorpus({words.begin() + 1, words.end()});
  try {
    return runFile(words);
  } catch (const KernelFault &fault) {
    std::fprintf(stderr, "%s\n", fault.what());
    return 3;
  } catch (const Unsupported &reason) {
    std::fprintf(stderr, "%s\n", reason.what());
    return 4;
  }
}

} // namespace

int main(int argc, char **argv) { return runTool({"trisect-run", usage}, argc, argv, run); }
