//===- Assembler.cpp - finding and running ptxas --------------------------------------------------------===//
#include "backends/cuda/driver/Assembler.h"
#include "backends/cuda/driver/Program.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <mutex>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace trisect::cuda::driver {

namespace {

ForkMutex lock;
std::vector<std::string> &givenFolders() {
  static auto *all = new std::vector<std::string>;
  return *all;
}

bool isProgram(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> folders() {
  std::vector<std::string> all;
  std::istringstream parts(optionText(OptionId::SearchPath));
  for (std::string part; std::getline(parts, part, ':');)
    all.push_back(part);
  for (OptionId toolkit : {OptionId::CudaHome, OptionId::CudaPath})
    if (std::string root = optionText(toolkit); !root.empty())
      all.push_back(root + "/bin");
  all.emplace_back("/usr/local/cuda/bin");
  std::lock_guard guard(lock);
  all.insert(all.end(), givenFolders().begin(), givenFolders().end());
  return all;
}

std::string locate() {
  if (std::string given = optionText(OptionId::PtxasPath); !given.empty()) {
    if (!isProgram(given))
      throw InvalidInput("TRITON_PTXAS_PATH=" + given + " is no program that can be run");
    return given;
  }
  for (const std::string &folder : folders())
    if (std::string path = folder + "/ptxas"; !folder.empty() && isProgram(path))
      return path;
  return {};
}

std::string readVersion(const std::string &program) {
  ProgramRun run = runProgram({program, "--version"});
  std::smatch match;
  if (run.status == 0 && std::regex_search(run.output, match, std::regex("V([0-9]+(\\.[0-9]+)+)")))
    return match[1];
  throw InvalidInput(program + " does not say which version of ptxas it is:\n" + run.output);
}

/// The number before ` unit` in a line, 0 if there is none.
int numberBefore(std::string_view line, std::string_view unit) {
  size_t at = line.find(unit);
  if (at == std::string_view::npos || at < 2)
    return 0;
  size_t begin = line.find_last_not_of("0123456789", at - 2);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  int value = 0;
  std::from_chars(line.data() + begin, line.data() + at, value);
  return value;
}

std::vector<std::string> wordsOf(const std::string &text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;)
    words.push_back(word);
  return words;
}

std::vector<std::string> commandOf(const std::string &program, const AssembleOptions &options,
                                   const std::string &source, const std::string &target) {
  std::vector<std::string> command{program, "-v", "--gpu-name=" + options.architecture};
  if (options.lineInfo)
    command.insert(command.end(), {"-lineinfo", "-suppress-debug-info"});
  if (!options.fuse)
    command.emplace_back("--fmad=false");
  if (!options.optimise)
    command.insert(command.end(), {"--opt-level", "0"});
  for (const std::string &word : wordsOf(options.further))
    command.push_back(word);
  command.insert(command.end(), {source, "-o", target});
  return command;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

} // namespace

AssemblyReport readAssemblerLog(std::string_view log) {
  AssemblyReport report;
  std::istringstream in{std::string(log)};
  for (std::string line; std::getline(in, line);) {
    report.registers = std::max(report.registers, numberBefore(line, " registers"));
    report.spillStores += numberBefore(line, " bytes spill stores");
    report.spillLoads += numberBefore(line, " bytes spill loads");
    report.stackBytes = std::max(report.stackBytes, numberBefore(line, " bytes stack frame"));
    report.sharedBytes = std::max(report.sharedBytes, numberBefore(line, " bytes smem"));
    if (line.find("warning") != std::string::npos || line.find("(C7") != std::string::npos)
      report.warnings.push_back(line);
  }
  return report;
}

void Assembler::addFolder(const std::string &folder) {
  std::lock_guard guard(lock);
  if (std::find(givenFolders().begin(), givenFolders().end(), folder) == givenFolders().end())
    givenFolders().push_back(folder);
}

std::shared_ptr<const Assembler> Assembler::find() {
  static ForkMutex knownLock;
  static auto *known = new std::map<std::string, std::shared_ptr<const Assembler>>;
  std::string path = locate();
  if (path.empty())
    return nullptr;
  std::lock_guard guard(knownLock);
  std::shared_ptr<const Assembler> &entry = (*known)[path];
  if (!entry)
    entry = std::make_shared<Assembler>(path);
  return entry;
}

Assembler::Assembler(std::string path) : program(std::move(path)), number(readVersion(program)) {}

Assembled Assembler::assemble(const std::string &ptx, const AssembleOptions &options) const {
  TemporaryFolder folder;
  std::string source = folder.file("kernel.ptx"), target = folder.file("kernel.cubin");
  writeFile(source, ptx);
  std::vector<std::string> command = commandOf(program, options, source, target);
  ProgramRun run = runProgram(command);
  if (run.status != 0)
    throw AssemblerError("`ptxas` failed with error code " + std::to_string(run.status) + ":\n" + run.output +
                         "\nRepro command: " + joined(command));
  return {readFile(target), run.output, readAssemblerLog(run.output)};
}

} // namespace trisect::cuda::driver
