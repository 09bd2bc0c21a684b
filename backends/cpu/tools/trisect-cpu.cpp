//===- trisect-cpu.cpp - shows what tier 1 makes of a kernel --------------------------------------------===//
//
// What: prints one stage of a kernel's compilation; the input of the FileCheck tests in tests/passes/cpu.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/Compile.h"
#include "backends/cpu/ConvertToLlvm.h"
#include "backends/cpu/LowerToVectors.h"
#include "backends/cpu/SourceLines.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/cpu/orc/ObjectCompiler.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Tool.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

using namespace trisect;

namespace {
enum Stage { Prepared, Plan, Vectors, LlvmDialect, Llvm, OptimizedLlvm, Assembly, Object };

constexpr const char *usage =
    "usage: trisect-cpu FILE.ttir [--emit STAGE] [--kernel NAME] [--machine NAME] [--overlapping]\n"
    "                   [--lines]\n"
    "FILE.ttir is - for standard input.\n"
    "  --emit STAGE    ttir (after inlining and simplification), plan (loops, products and buffers\n"
    "                  that were chosen), vectors (loops over vectors; the default), llvm-dialect,\n"
    "                  llvm (as translated), llvm-optimized (after the pipeline), asm or obj\n"
    "  --kernel NAME   the kernel (default: the first public function)\n"
    "  --machine NAME  host (default), x86-64-v2, x86-64-v3, x86-64-v4, znver4, sapphirerapids or aarch64\n"
    "  --overlapping   arguments may overlap in memory\n"
    "  --lines         with lines of the kernel's source, from llvm-dialect on\n";

struct Request {
  std::string file, kernel;
  cpu::Machine machine;
  bool overlapping = false, lines = false;
  int stage = Vectors;

  explicit Request(const std::vector<std::string> &words) {
    std::string machineName;
    file =
        onlyWord(readOptions(words, {textOption("--kernel", kernel), textOption("--machine", machineName),
                                     flagOption("--overlapping", overlapping), flagOption("--lines", lines),
                                     choiceOption("--emit", stage,
                                                  {"ttir", "plan", "vectors", "llvm-dialect", "llvm",
                                                   "llvm-optimized", "asm", "obj"})}),
                 "a .ttir file, or - for standard input");
    try {
      machine = cpu::machineNamed(machineName);
    } catch (const InvalidInput &error) {
      throw WrongUse(error.what());
    }
  }
};

std::string onlyKernel(mlir::ModuleOp module, const std::string &name) {
  if (!name.empty())
    return name;
  for (auto function : module.getOps<tt::FuncOp>())
    if (function.isPublic())
      return function.getSymName().str();
  throw InvalidInput("the module has no public function");
}

template <typename Printed> std::string textOf(Printed &&print) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  return text;
}

std::string stageOf(const Request &asked) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tt::loadDialects(context);
  auto module = tt::parseModuleFile(asked.file, context);
  std::string name = onlyKernel(*module, asked.kernel);
  tt::FuncOp kernel = cpu::prepare(*module, name);
  if (asked.stage == Prepared)
    return textOf([&](auto &stream) { module->print(stream); });
  cpu::LoweredKernel lowered = cpu::lowerToVectors(kernel, asked.machine, !asked.overlapping);
  if (asked.stage == Plan)
    return lowered.plan;
  if (asked.stage == Vectors)
    return textOf([&](auto &stream) { lowered.module->print(stream); });
  cpu::convertToLlvmDialect(*lowered.module);
  if (asked.lines)
    cpu::describeSource(*lowered.module, name);
  if (asked.stage == LlvmDialect)
    return textOf([&](auto &stream) { lowered.module->print(stream); });
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> code = cpu::translateToLlvmIr(*lowered.module, llvmContext);
  if (asked.stage == Llvm)
    return textOf([&](auto &stream) { code->print(stream, nullptr); });
  cpu::optimize(*code, asked.machine);
  if (asked.stage == OptimizedLlvm)
    return textOf([&](auto &stream) { code->print(stream, nullptr); });
  return asked.stage == Assembly ? cpu::compileToAssembly(*code, asked.machine)
                                 : cpu::compileToObject(*code, asked.machine);
}

int run(const std::vector<std::string> &words) {
  std::string text = stageOf(Request(words));
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}
} // namespace

int main(int argc, char **argv) { return runTool({"trisect-cpu", usage, /*problem=*/1}, argc, argv, run); }
