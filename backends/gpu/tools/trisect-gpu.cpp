//===- trisect-gpu.cpp - shows tile IR ------------------------------------------------------------------===//
//
// What: prints what the passes of backends/gpu make of a kernel; the input of the FileCheck tests in
// tests/passes/gpu. With --check it reads any number of files, compiles every kernel of each module (modules
// of one file lie between lines `// -----`), and lists what is refused or wrong.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/gpu/ir/TileDialect.h"
#include "backends/gpu/passes/AssignLayouts.h"
#include "backends/gpu/passes/CheckTiles.h"
#include "backends/gpu/passes/PackShared.h"
#include "backends/gpu/passes/Pipeline.h"
#include "backends/gpu/passes/PlaceBarriers.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Tool.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdio>

using namespace trisect;

namespace {
enum Stage { Ttir, Layouts, Tile, Barriers };

constexpr const char *usage =
    "usage: trisect-gpu FILE.ttir [--emit STAGE] [--kernel NAME] [OPTION]...\n"
    "       trisect-gpu --check FILE... [OPTION]...\n"
    "FILE is - for standard input.\n"
    "  --emit STAGE    ttir (after simplification), layouts (tensors with layouts), tile (staged, packed,\n"
    "                  with barriers; the default) or barriers (placed in tile IR that is read packed)\n"
    "  --kernel NAME   the kernel (default: the only public function)\n"
    "  --num-warps N   warps of a program (4)\n"
    "  --stages N      stages of loops that name none (3)\n"
    "  --target NAME   as cuda:90 (default)\n"
    "  --check         compiles all kernels of all files, prints a line for each that fails\n";

struct Request {
  std::vector<std::string> files;
  std::string kernel;
  gpu::TileOptions options;
  bool check = false;
  int stage = Tile;

  explicit Request(const std::vector<std::string> &words) {
    files = readOptions(words, {textOption("--kernel", kernel), flagOption("--check", check),
                                wholeOption("--num-warps", options.warps, 1, 32),
                                wholeOption("--stages", options.stages, 0, 1024),
                                textOption("--target", options.target),
                                choiceOption("--emit", stage, {"ttir", "layouts", "tile", "barriers"})});
    if (!check)
      onlyWord(files, "a .ttir file, or - for standard input");
    else if (files.empty())
      throw WrongUse("--check needs .ttir files");
  }
};

std::vector<std::string> kernelsOf(mlir::ModuleOp module) {
  std::vector<std::string> names;
  module.walk([&](tt::FuncOp function) {
    if (function.isPublic() && !function.isDeclaration())
      names.push_back(function.getSymName().str());
  });
  return names;
}

void compile(const Request &asked, mlir::ModuleOp module, const std::string &kernel) {
  switch (asked.stage) {
  case Ttir:
    gpu::simplifyForTiles(module, kernel);
    return;
  case Layouts:
    gpu::assignLayouts(gpu::simplifyForTiles(module, kernel), {asked.options.warps, 32});
    return;
  case Tile:
    gpu::checkTiles(gpu::runTilePipeline(module, kernel, asked.options));
    return;
  case Barriers:
    gpu::placeBarriers(module.lookupSymbol<tt::FuncOp>(kernel));
    return;
  default:
    throw InvalidInput("there is no such stage");
  }
}

void print(const std::string &text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void show(const Request &asked) {
  mlir::MLIRContext context;
  tt::loadDialects(context);
  context.loadDialect<gpu::TileDialect>();
  auto module = tt::parseModuleFile(asked.files.front(), context);
  std::vector<std::string> kernels = kernelsOf(*module);
  std::string kernel = asked.kernel;
  if (kernel.empty()) {
    if (kernels.size() != 1)
      throw InvalidInput("the module has " + std::to_string(kernels.size()) +
                         " public functions; choose one with --kernel");
    kernel = kernels.front();
  } else if (!llvm::is_contained(kernels, kernel)) {
    throw InvalidInput("the module has no kernel '" + kernel + "'");
  }
  compile(asked, *module, kernel);
  print(tt::printModule(*module, {.locations = false}));
}

struct Tally {
  const Request &asked;
  size_t passed = 0, refused = 0, wrong = 0;

  void add(const std::string &text, const std::string &name) {
    mlir::MLIRContext context;
    tt::loadDialects(context);
    std::vector<std::string> kernels;
    try {
      kernels = kernelsOf(*tt::parseModule(text, name, context));
    } catch (const Error &error) {
      print("cannot read " + name + ": " + error.what() + "\n");
      ++wrong;
    }
    for (const std::string &kernel : kernels) {
      try {
        auto module = tt::parseModule(text, name, context);
        compile(asked, *module, kernel);
        ++passed;
      } catch (const Unsupported &error) {
        print("refused " + name + " " + kernel + ": " + error.what() + "\n");
        ++refused;
      } catch (const Error &error) {
        print("wrong " + name + " " + kernel + ": " + error.what() + "\n");
        ++wrong;
      }
    }
  }
};

int checkAll(const Request &asked) {
  Tally tally{asked};
  for (const std::string &path : asked.files) {
    auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
    if (!file) {
      print("cannot read " + path + ": " + file.getError().message() + "\n");
      ++tally.wrong;
      continue;
    }
    llvm::SmallVector<llvm::StringRef> modules;
    (*file)->getBuffer().split(modules, "// -----");
    for (auto [number, text] : llvm::enumerate(modules))
      tally.add(text.str(), modules.size() > 1 ? path + "#" + std::to_string(number) : path);
  }
  print(std::to_string(tally.passed) + " kernels compiled, " + std::to_string(tally.refused) + " refused, " +
        std::to_string(tally.wrong) + " wrong\n");
  return tally.wrong || tally.passed + tally.refused == 0 ? 1 : 0;
}

int run(const std::vector<std::string> &words) {
  Request asked(words);
  if (asked.check)
    return checkAll(asked);
  show(asked);
  return 0;
}
} // namespace

int main(int argc, char **argv) { return runTool({"trisect-gpu", usage, /*problem=*/1}, argc, argv, run); }
