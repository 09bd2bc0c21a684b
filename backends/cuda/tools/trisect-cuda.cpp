//===- trisect-cuda.cpp - prints the stages of tier 2 ---------------------------------------------------===//
//
// What: compiles a kernel of a TTIR file and prints tile IR, LLVM IR or PTX.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/Capabilities.h"
#include "backends/cuda/Compile.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Tool.h"
#include <bit>
#include <cstdio>

using namespace trisect;

namespace {
enum Stage { TileIr, Llvm, Ptx };

constexpr const char *usage =
    "usage: trisect-cuda FILE.ttir [--emit ttgir|llvm|ptx] [--kernel NAME] [--capability N]\n"
    "                    [--warps N] [--stages N]\n"
    "FILE.ttir is - for standard input.\n"
    "  --emit STAGE    tile IR (ttgir), LLVM IR or PTX (the default)\n"
    "  --kernel NAME   the kernel (default: the first public function)\n"
    "  --capability N  of the GPU: 90 (default) for sm_90\n"
    "  --warps N       warps of a program (4)\n"
    "  --stages N      stages of loops that name none (3)\n";

struct Request {
  std::string file, kernel;
  cuda::PtxOptions options;
  int stage = Ptx;

  explicit Request(const std::vector<std::string> &words) {
    file = onlyWord(readOptions(words, {textOption("--kernel", kernel),
                                        choiceOption("--emit", stage, {"ttgir", "llvm", "ptx"}),
                                        {"--capability",
                                         [this](const std::string &value) {
                                           options.capability = cuda::parseCapability(value);
                                         }},
                                        wholeOption("--warps", options.emit.warps, 1, 32),
                                        wholeOption("--stages", options.emit.stages, 0, 1024)}),
                    "a .ttir file, or - for standard input");
    if (!std::has_single_bit(options.emit.warps))
      throw WrongUse("--warps is a power of two, not " + std::to_string(options.emit.warps));
    options.wantLlvm = true;
  }
};

std::string kernelOf(mlir::ModuleOp module) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic())
      return function.getSymName().str();
  throw InvalidInput("the module has no kernel");
}

int run(const std::vector<std::string> &words) {
  Request asked(words);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  mlir::OwningOpRef<mlir::ModuleOp> module = tt::parseModuleFile(asked.file, context);
  cuda::PtxKernel kernel =
      cuda::compileToPtx(*module, asked.kernel.empty() ? kernelOf(*module) : asked.kernel, asked.options);
  const std::string &text = asked.stage == TileIr ? kernel.ttgir
                            : asked.stage == Llvm ? kernel.llir
                                                  : kernel.ptx;
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}
} // namespace

int main(int argc, char **argv) { return runTool({"trisect-cuda", usage, /*problem=*/1}, argc, argv, run); }
