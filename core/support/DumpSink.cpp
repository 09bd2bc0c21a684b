//===- DumpSink.cpp - printing stages and writing them to files -----------------------------------------===//
#include "core/support/DumpSink.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <cstdio>
#include <fstream>

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
  case DumpKind::Amdgcn:
    return "amdgcn";
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

/// Makes a folder that no other compilation has.
fs::path claimFolder(const fs::path &root, const std::string &name) {
  std::error_code error;
  fs::create_directories(root, error);
  for (int i = 0; !error; ++i) {
    fs::path folder = root / (i == 0 ? name : name + "." + std::to_string(i));
    if (fs::create_directory(folder, error))
      return folder;
  }
  throw InvalidInput("TRISECT_DUMP='" + root.string() + "' cannot be written: " + error.message());
}

/// 0 and its like mean no, 1 and its like any kernel, other text the kernel of this name.
bool namesKernel(const std::string &text, const std::string &kernel) {
  for (std::string_view no : {"0", "false", "no", "off"})
    if (text == no)
      return false;
  for (std::string_view yes : {"1", "true", "yes", "on"})
    if (text == yes)
      return true;
  return text == kernel;
}
} // namespace

DumpSink::DumpSink(std::string kernelName) : kernel(std::move(kernelName)) {
  if (std::string root = optionText(OptionId::Dump); !root.empty())
    directory = claimFolder(root, fileName(kernel));
  printPath = optionText(OptionId::MlirDumpPath);
  printMlir = wantsEveryPass(kernel);
  printLlvm = optionFlag(OptionId::LlvmIrDump);
  printPtx = optionFlag(OptionId::NvptxDump);
  printAmdgcn = optionFlag(OptionId::AmdgcnDump);
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
  case DumpKind::Amdgcn:
    return printAmdgcn;
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
    if (kind == DumpKind::Mlir && !printPath.empty())
      std::ofstream(printPath, std::ios::app) << text;
    else
      std::fwrite(text.data(), 1, text.size(), stderr);
  }
  char number[16];
  std::snprintf(number, sizeof(number), "%02d-", stagesWritten++);
  writeFile(number + fileName(stage) + "." + std::string(extension(kind)), content);
}

void DumpSink::writeFile(std::string_view name, std::string_view content) const {
  if (!directory.empty())
    std::ofstream(directory / fileName(name), std::ios::binary).write(content.data(), content.size());
}

} // namespace trisect
