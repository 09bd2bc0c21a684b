//===- DumpSink.cpp - printing stages and writing them to files -----------------------------------------===//
#include "core/support/DumpSink.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace trisect {

namespace {
namespace fs = std::filesystem;

std::string_view extension(DumpKind kind) {
  switch (kind) {
  case DumpKind::Mlir:
    return "mlir";
  case DumpKind::LlvmIr:
    return "ll";
  case DumpKind::Ptx:
    return "ptx";
  case DumpKind::Assembly:
    return "s";
  case DumpKind::Text:
    return "txt";
  case DumpKind::Binary:
    return "bin";
  }
  return "txt";
}

/// A name that is safe as one path component.
std::string fileName(std::string_view text) {
  std::string name;
  for (char c : text.substr(0, 120)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                 c == '-' || (c == '.' && !name.empty());
    name += plain ? c : '_';
  }
  return name.empty() ? "_" : name;
}

[[noreturn]] void refuse(OptionId option, const std::string &place, const std::string &reason) {
  throw InvalidInput(std::string(info(option).variable) + "='" + place + "' cannot be written: " + reason);
}

/// Says once that a dump is not whole.
void tellLost(OptionId option, const fs::path &place) {
  static std::atomic<bool> told{false};
  if (!told.exchange(true))
    std::fprintf(stderr, "trisect: what %s asks for is not whole: '%s' cannot be written\n",
                 std::string(info(option).variable).c_str(), place.c_str());
}

/// Makes a folder that no other compilation has.
fs::path claimFolder(const fs::path &root, const std::string &name) {
  std::error_code error;
  fs::create_directories(root, error);
  for (int i = 0; !error; ++i) {
    fs::path folder = root / (i == 0 ? name : name + "." + std::to_string(i));
    if (fs::create_directory(folder, error))
      return folder;
  }
  refuse(OptionId::Dump, root.string(), error.message());
}

bool isWord(std::string text, std::initializer_list<std::string_view> words) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(words, text) != words.end();
}

bool isNo(const std::string &text) { return isWord(text, {"", "0", "false", "no", "off", "n"}); }

/// 0 and its like mean no, 1 and its like any kernel, other text the kernel of this name.
bool namesKernel(const std::string &text, const std::string &kernel) {
  return isWord(text, {"1", "true", "yes", "on", "y"}) || (!isNo(text) && text == kernel);
}

void requireFile(const std::string &path) {
  errno = 0;
  if (!std::ofstream(path, std::ios::app))
    refuse(OptionId::MlirDumpPath, path, std::strerror(errno ? errno : EIO));
}
} // namespace

void requireDumpsWritable() {
  if (std::string root = optionText(OptionId::Dump); !root.empty()) {
    std::error_code error;
    fs::create_directories(root, error);
    if (!error && access(root.c_str(), W_OK | X_OK) != 0)
      error = std::error_code(errno, std::generic_category());
    if (error || !fs::is_directory(root, error))
      refuse(OptionId::Dump, root, error ? error.message() : "it is no folder");
  }
  if (std::string path = optionText(OptionId::MlirDumpPath);
      !path.empty() && !isNo(optionText(OptionId::MlirDump)))
    requireFile(path);
}

DumpSink::DumpSink(std::string kernelName) : kernel(std::move(kernelName)) {
  if (std::string root = optionText(OptionId::Dump); !root.empty())
    directory = claimFolder(root, fileName(kernel));
  printPath = optionText(OptionId::MlirDumpPath);
  printMlir = wantsEveryPass(kernel);
  if (printMlir && !printPath.empty())
    requireFile(printPath);
  printLlvm = optionFlag(OptionId::LlvmIrDump);
  printPtx = optionFlag(OptionId::NvptxDump);
}

bool DumpSink::wantsEveryPass(const std::string &kernel) {
  return namesKernel(optionText(OptionId::MlirDump), kernel);
}

bool DumpSink::prints(DumpKind kind) const {
  switch (kind) {
  case DumpKind::Mlir:
    return printMlir;
  case DumpKind::LlvmIr:
    return printLlvm;
  case DumpKind::Ptx:
    return printPtx;
  case DumpKind::Assembly:
  case DumpKind::Text:
  case DumpKind::Binary:
    return false;
  }
  return false;
}

bool DumpSink::wants(DumpKind kind) const { return !directory.empty() || prints(kind); }

void DumpSink::write(DumpKind kind, std::string_view stage, std::string_view content) {
  if (prints(kind)) {
    std::string text = "// -----// " + kernel + ": " + std::string(stage) + " //----- //\n";
    text.append(content).append(content.ends_with('\n') ? "\n" : "\n\n");
    if (kind == DumpKind::Mlir && !printPath.empty()) {
      if (!(std::ofstream(printPath, std::ios::app) << text << std::flush))
        tellLost(OptionId::MlirDumpPath, printPath);
    } else
      std::fwrite(text.data(), 1, text.size(), stderr);
  }
  char number[16];
  std::snprintf(number, sizeof(number), "%02d-", stagesWritten++);
  writeFile(number + fileName(stage) + "." + std::string(extension(kind)), content);
}

void DumpSink::writeFile(std::string_view name, std::string_view content) const {
  if (directory.empty())
    return;
  std::ofstream file(directory / fileName(name), std::ios::binary);
  if (!file.write(content.data(), static_cast<std::streamsize>(content.size())).flush())
    tellLost(OptionId::Dump, directory / fileName(name));
}

} // namespace trisect
