//===- TrisectReduce.cpp - shrinks a failing module -----------------------------------------------------===//
//
// What: mlir-reduce for TTIR of any release. A script decides whether a smaller module still fails in the
// same way: it gets a file name and exits with 1 if so (docs/passes.md has an example). Why not mlir-reduce's
// own main: it ends with LLVM's words, or none, when the script cannot run or finds nothing in the whole
// module. Limits: which script it is is read off the pipeline's text, so its path has no spaces.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/passes/Passes.h"
#include "core/tools/MlirCommandLine.h"
#include "core/tools/ReductionPatterns.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Passes.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using trisect::InvalidInput;
using trisect::WrongUse;

static llvm::cl::opt<std::string> inputName(llvm::cl::Positional, llvm::cl::desc("<input file>"),
                                            llvm::cl::Required);
static llvm::cl::opt<std::string> outputName("o", llvm::cl::desc("Output file (default: standard output)"),
                                             llvm::cl::value_desc("file"), llvm::cl::init("-"));

namespace {
constexpr const char *usage =
    "usage: trisect-reduce FILE.ttir -reduction-tree='traversal-mode=0 test=SCRIPT' [-o FILE]\n"
    "SCRIPT gets the name of a file and exits with 1 if its module still fails. --help lists the options.\n";

/// What follows `name=` in the text of a pipeline; empty if nothing does.
std::string optionIn(llvm::StringRef pipeline, const std::string &name) {
  for (const char *before : {"{", " "})
    if (size_t at = pipeline.find(before + name + "="); at != llvm::StringRef::npos)
      return pipeline.substr(at + name.size() + 2)
          .take_until([](char c) { return c == ' ' || c == '}'; })
          .str();
  return "";
}

/// Runs the script on the whole module, as the reduction will on parts of it.
void tryScript(ModuleOp module, llvm::StringRef pipeline) {
  std::string script = optionIn(pipeline, "test"), arguments = optionIn(pipeline, "test-arg");
  if (script.empty())
    throw WrongUse("there is no script: write -reduction-tree='traversal-mode=0 test=SCRIPT'");
  if (!llvm::sys::fs::is_regular_file(script))
    throw InvalidInput("there is no script '" + script + "'");
  if (!llvm::sys::fs::can_execute(script))
    throw InvalidInput("the script '" + script + "' is not executable (chmod +x)");
  llvm::SmallString<128> path;
  if (std::error_code problem = llvm::sys::fs::createTemporaryFile("trisect-reduce", "mlir", path))
    throw InvalidInput("cannot make a temporary file: " + problem.message());
  llvm::FileRemover remover(path);
  trisect::writeFile(path.str().str(), {trisect::tt::printModule(module, {.locations = false})});
  llvm::SmallVector<llvm::StringRef> words = {script};
  llvm::StringRef(arguments).split(words, ',', -1, /*KeepEmpty=*/false);
  words.push_back(path);
  std::string problem;
  int status = llvm::sys::ExecuteAndWait(script, words, std::nullopt, {}, 0, 0, &problem);
  if (status < 0)
    throw InvalidInput("the script '" + script + "' does not run: " + problem +
                       (status == -1 ? " (a script begins with #!)" : ""));
  if (status == 0)
    throw InvalidInput("there is nothing to reduce: '" + script +
                       "' exits with 0 for the whole module, and 1 would mean "
                       "that it fails");
}

int run(int argc, char **argv) {
  DialectRegistry registry;
  trisect::tt::registerAllDialects(registry);
  trisect::tt::registerReductionPatterns(registry);
  trisect::tt::registerPasses();
  registerReducerPasses();
  PassPipelineCLParser parser("", "Reductions to run");
  trisect::tt::readMlirCommandLine("trisect-reduce", argc, argv, usage);
  MLIRContext context(registry);
  trisect::tt::loadDialects(context);
  auto module = trisect::tt::parseModuleFile(inputName, context);
  PassManager passes(&context);
  auto told = [](const llvm::Twine &problem) {
    llvm::errs() << "trisect-reduce: " << problem << "\n";
    return failure();
  };
  if (failed(parser.addToPipeline(passes, told)))
    return 2;
  std::string pipeline;
  llvm::raw_string_ostream stream(pipeline);
  passes.printAsTextualPipeline(stream);
  tryScript(*module, pipeline);
  // Modules that are tried on the way may be invalid; nobody needs to know.
  std::string problem;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { problem = diagnostic.str(); });
  if (failed(passes.run(*module)))
    throw InvalidInput("the reduction failed: " + problem);
  std::string text = trisect::tt::printModule(*module, {.locations = false});
  try {
    trisect::tt::writeOutput(outputName, text);
  } catch (const InvalidInput &) { // it may have taken hours
    trisect::tt::writeOutput("-", text);
    throw;
  }
  return 0;
}
} // namespace

int main(int argc, char **argv) {
  trisect::holdStandardStreams();
  llvm::InitLLVM init(argc, argv);
  if (argc < 2) {
    llvm::errs() << usage;
    return 2;
  }
  // A script that dies later on ends the reduction, which offers no other way.
  llvm::install_fatal_error_handler(
      [](void *, const char *reason, bool) { llvm::errs() << "trisect-reduce: " << reason << "\n"; });
  return trisect::guardTool({"trisect-reduce", usage, /*problem=*/1}, [&] { return run(argc, argv); });
}
