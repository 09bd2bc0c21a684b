//===- CompileCorpus.cpp - modules side by side ---------------------------------------------------------===//
#include "backends/cuda/tools/CompileCorpus.h"
#include "backends/cuda/Compile.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/support/Hash.h"
#include "core/support/Outcome.h"
#include "core/support/Threads.h"
#include <atomic>
#include <map>
#include <mutex>
#include <tuple>

namespace trisect::cuda {

namespace {
std::string kernelOf(mlir::ModuleOp module) {
  std::string name;
  for (auto function : module.getOps<tt::FuncOp>()) {
    if (!function.isPublic())
      continue;
    if (!name.empty())
      throw InvalidInput("the module has several kernels");
    name = function.getSymName().str();
  }
  if (name.empty())
    throw InvalidInput("the module has no kernel");
  return name;
}

std::string architectureOf(unsigned capability) {
  return "sm_" + std::to_string(capability) + (capability == 90 ? "a" : "");
}

int countWide(const std::string &ptx) {
  int count = 0;
  for (const char *word : {"ld.global", "st.global"})
    for (size_t at = ptx.find(word); at != std::string::npos; at = ptx.find(word, at + 1))
      count += ptx.substr(at, ptx.find_first_of(" \t", at) - at).find(".v4") != std::string::npos;
  return count;
}

/// What the assembler says of an instruction that the GPU lacks, which only assembly of the kernel's own
/// names; empty for any other log.
std::string lackingIn(const std::string &log) {
  constexpr std::string_view lead = "Instruction '";
  size_t at = log.find(lead), end = log.find('\n', at);
  std::string line = at == std::string::npos ? "" : log.substr(at, end - at);
  bool lacks = line.find("requires .target") != std::string::npos ||
               line.find("not supported on .target") != std::string::npos;
  return lacks ? "the assembler: " + line : "";
}

class Run {
public:
  Run(const std::vector<corpus::ModuleText> &modules, const std::vector<unsigned> &capabilities,
      const std::function<void(size_t)> &progress)
      : modules(modules), capabilities(capabilities), progress(progress),
        assembler(driver::Assembler::find()), rows(modules.size() * capabilities.size()) {
    if (!assembler)
      throw InvalidInput("there is no ptxas: set TRITON_PTXAS_PATH, or install the CUDA toolkit");
  }

  std::vector<CorpusRow> go(unsigned jobs) {
    onThreads(static_cast<int>(jobs), [this](int) {
      for (size_t n = next++; n < modules.size(); n = next++)
        one(n);
    });
    return std::move(rows);
  }

private:
  void one(size_t index) {
    for (size_t n = 0; n < capabilities.size(); ++n) {
      CorpusRow &row = rows[index * capabilities.size() + n];
      row.module = modules[index].name;
      row.architecture = architectureOf(capabilities[n]);
      try {
        compile(modules[index], capabilities[n], row);
      } catch (const Unsupported &reason) {
        std::string text = reason.what(), place = reason.position().str() + ": ";
        row.fate = Fate::Refused;
        row.reason = text.starts_with(place) ? text.substr(place.size()) : text;
      } catch (const AssemblerError &problem) {
        row.reason = lackingIn(problem.what());
        row.fate = row.reason.empty() ? Fate::Failed : Fate::Refused;
        if (row.reason.empty())
          row.reason = problem.what();
      } catch (const InvalidInput &problem) {
        row.fate = Fate::Invalid;
        row.reason = problem.what();
      } catch (const std::exception &problem) {
        row.fate = Fate::Failed;
        row.reason = problem.what();
      }
    }
    std::lock_guard guard(lock);
    progress(++done);
  }

  void compile(const corpus::ModuleText &text, unsigned capability, CorpusRow &row) {
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    tt::loadDialects(context);
    auto module = tt::parseModule(text.text, text.name, context);
    PtxOptions options;
    options.capability = capability;
    options.emit.lineInfo = false;
    tt::FuncOp kernel = toTiles(*module, kernelOf(*module), capability, options.emit);
    std::string tiles;
    llvm::raw_string_ostream stream(tiles);
    module->print(stream);
    std::string key = row.architecture + hashBytes(tiles).hex();
    if (recall(key, row))
      return;
    assemble(tilesToPtx(kernel, options).ptx, row);
    std::lock_guard guard(lock);
    known[key] = {row.report, row.wideAccesses};
  }

  bool recall(const std::string &key, CorpusRow &row) {
    std::lock_guard guard(lock);
    auto found = known.find(key);
    if (found == known.end())
      return false;
    std::tie(row.report, row.wideAccesses) = found->second;
    return true;
  }

  void assemble(const std::string &ptx, CorpusRow &row) {
    row.wideAccesses = countWide(ptx);
    driver::AssembleOptions options;
    options.architecture = row.architecture;
    options.lineInfo = false;
    row.report = assembler->assemble(ptx, options).report;
  }

  const std::vector<corpus::ModuleText> &modules;
  const std::vector<unsigned> &capabilities;
  const std::function<void(size_t)> &progress;
  std::shared_ptr<const driver::Assembler> assembler;
  std::vector<CorpusRow> rows;
  std::atomic<size_t> next{0};
  std::mutex lock; ///< of what follows
  size_t done = 0;
  /// By architecture and tile IR: many modules differ by what the passes make alike.
  std::map<std::string, std::pair<driver::AssemblyReport, int>> known;
};
} // namespace

std::vector<CorpusRow> compileCorpus(const std::vector<corpus::ModuleText> &modules,
                                     const std::vector<unsigned> &capabilities, unsigned jobs,
                                     const std::function<void(size_t)> &progress) {
  return Run(modules, capabilities, progress).go(jobs);
}

} // namespace trisect::cuda
