//===- trisect-gpu.cpp - shows tile IR ------------------------------------------------------------------===//
//
// What: prints what the passes of backends/gpu make of a kernel; the input of the FileCheck tests in
// tests/passes/gpu. With --check it reads any number of files, the names of which may also stand in a file
// (@list), compiles every kernel of each module (modules of one file lie between lines `// -----`), and lists
// what is refused or wrong.
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
#include "core/support/Outcome.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace trisect;

namespace {
enum class Stage { Ttir, Layouts, Tile, Barriers };

llvm::cl::list<std::string> inputs(llvm::cl::Positional, llvm::cl::desc("<file.ttir ..., - for stdin>"));
llvm::cl::opt<std::string> kernelName("kernel", llvm::cl::desc("kernel (default: the only public function)"));
llvm::cl::opt<int> warps("num-warps", llvm::cl::desc("warps of a program"), llvm::cl::init(4));
llvm::cl::opt<int> stages("stages", llvm::cl::desc("stages of loops that name none"), llvm::cl::init(3));
llvm::cl::opt<std::string> target("target", llvm::cl::desc("as cuda:90"), llvm::cl::init("cuda:90"));
llvm::cl::opt<bool>
    check("check", llvm::cl::desc("compile all kernels of all files, print one line for each that fails"));
llvm::cl::opt<Stage>
    stage("emit", llvm::cl::desc("stage to print"), llvm::cl::init(Stage::Tile),
          llvm::cl::values(clEnumValN(Stage::Ttir, "ttir", "TTIR after simplification"),
                           clEnumValN(Stage::Layouts, "layouts", "tensors with layouts"),
                           clEnumValN(Stage::Tile, "tile", "tile IR: staged, packed, with barriers"),
                           clEnumValN(Stage::Barriers, "barriers",
                                      "barriers placed in tile IR that is read packed")));

std::vector<std::string> kernelsOf(mlir::ModuleOp module) {
  std::vector<std::string> names;
  module.walk([&](tt::FuncOp function) {
    if (function.isPublic() && !function.isDeclaration())
      names.push_back(function.getSymName().str());
  });
  return names;
}

void compile(mlir::ModuleOp module, const std::string &kernel) {
  gpu::TileOptions options;
  options.warps = warps;
  options.stages = stages;
  options.target = target;
  switch (stage.getValue()) {
  case Stage::Ttir:
    gpu::simplifyForTiles(module, kernel);
    return;
  case Stage::Layouts:
    gpu::assignLayouts(gpu::simplifyForTiles(module, kernel), {warps, 32});
    return;
  case Stage::Tile:
    gpu::checkTiles(gpu::runTilePipeline(module, kernel, options));
    return;
  case Stage::Barriers:
    gpu::placeBarriers(module.lookupSymbol<tt::FuncOp>(kernel));
    return;
  }
}

mlir::OwningOpRef<mlir::ModuleOp> read(const std::string &path, mlir::MLIRContext &context) {
  return tt::parseModuleFile(path, context);
}

void show(mlir::MLIRContext &context) {
  auto module = read(inputs.empty() ? "-" : inputs.front(), context);
  std::vector<std::string> kernels = kernelsOf(*module);
  std::string kernel = kernelName;
  if (kernel.empty()) {
    if (kernels.size() != 1)
      throw InvalidInput("the module has " + std::to_string(kernels.size()) +
                         " public functions; choose one with --kernel");
    kernel = kernels.front();
  }
  compile(*module, kernel);
  llvm::outs() << tt::printModule(*module, {.locations = false});
}

struct Tally {
  size_t passed = 0, refused = 0, wrong = 0;

  void add(const std::string &text, const std::string &name) {
    mlir::MLIRContext context;
    tt::loadDialects(context);
    std::vector<std::string> kernels;
    try {
      kernels = kernelsOf(*tt::parseModule(text, name, context));
    } catch (const Error &error) {
      llvm::outs() << "cannot read " << name << ": " << error.what() << "\n";
      ++wrong;
    }
    for (const std::string &kernel : kernels) {
      try {
        auto module = tt::parseModule(text, name, context);
        compile(*module, kernel);
        ++passed;
      } catch (const Unsupported &error) {
        llvm::outs() << "refused " << name << " " << kernel << ": " << error.what() << "\n";
        ++refused;
      } catch (const Error &error) {
        llvm::outs() << "wrong " << name << " " << kernel << ": " << error.what() << "\n";
        ++wrong;
      }
    }
  }
};

int checkAll() {
  Tally tally;
  for (const std::string &path : inputs) {
    auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
    if (!file)
      throw InvalidInput("cannot read " + path + ": " + file.getError().message());
    llvm::SmallVector<llvm::StringRef> modules;
    (*file)->getBuffer().split(modules, "// -----");
    for (auto [number, text] : llvm::enumerate(modules))
      tally.add(text.str(), modules.size() > 1 ? path + "#" + std::to_string(number) : path);
  }
  llvm::outs() << tally.passed << " kernels compiled, " << tally.refused << " refused, " << tally.wrong
               << " wrong\n";
  return tally.wrong ? 1 : 0;
}
} // namespace

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "tile IR of the gpu targets\n");
  try {
    if (check)
      return checkAll();
    mlir::MLIRContext context;
    tt::loadDialects(context);
    context.loadDialect<gpu::TileDialect>();
    show(context);
    return 0;
  } catch (const Error &error) {
    llvm::errs() << error.what() << "\n";
    return 1;
  }
}
