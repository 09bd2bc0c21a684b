//===- RunTest.cpp - parts, runs and expectations -------------------------------------------------------===//
#include "interp/tools/RunTest.h"
#include "core/ir/Ops.h"
#include "core/ir/Parse.h"
#include "core/ir/Registry.h"
#include "core/ir/TypeUtils.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/tools/Expression.h"
#include "interp/tools/Watchdog.h"
#include "mlir/IR/MLIRContext.h"
#include <chrono>

namespace trisect::tools {

namespace {

tt::FuncOp functionNamed(mlir::ModuleOp module, const std::string &name) {
  for (auto function : module.getOps<tt::FuncOp>())
    if (name.empty() ? function.isPublic() : function.getSymName() == name)
      return function;
  throw InvalidInput("the module has no kernel '" + name + "'");
}

/// Empty if the buffer holds what is expected, else the first difference.
std::string compare(const Buffer &got, const Expectation &expect, const std::vector<Buffer> &before,
                    const Tolerance &tolerance) {
  if (expect.text == "any")
    return "";
  std::string place = "line " + std::to_string(expect.line) + ": argument " + std::to_string(expect.argument);
  std::vector<std::string_view> list;
  std::unique_ptr<Expression> formula;
  if (expect.text.starts_with("[")) {
    list = parseList(expect.text);
    if (static_cast<int64_t>(list.size()) != got.elements())
      return place + " has " + std::to_string(got.elements()) + " elements, " + std::to_string(list.size()) +
             " are expected";
  } else {
    formula = std::make_unique<Expression>(expect.text);
  }
  Scope scope;
  scope.buffers = &before;
  for (int64_t at = 0; at < got.elements(); ++at) {
    uint64_t want;
    if (formula) {
      scope.variables["i"] = at;
      int64_t rest = at;
      for (size_t d = got.shape.size(); d-- > 0;) {
        scope.variables["i" + std::to_string(d)] = rest % got.shape[d];
        rest /= got.shape[d];
      }
      want = encodeNumber(formula->evaluate(scope), got.type);
    } else {
      want = parseBits(list[static_cast<size_t>(at)], got.type);
    }
    if (!tolerance.allows(got.bits(at), want, got.type))
      return place + "[" + std::to_string(at) + "] is " + interp::formatElement(got.bits(at), got.type) +
             " (" + interp::formatElement(got.bits(at), got.type, true) + "), expected " +
             interp::formatElement(want, got.type) + " (" + interp::formatElement(want, got.type, true) + ")";
  }
  return "";
}

/// Makes the kernel ready and launches it once.
void launch(const TestLaunch &test, const TestedTier &tier, Grid grid) {
  tt::FuncOp function = functionNamed(test.module, test.kernel);
  std::vector<ArgBits> bits;
  std::vector<TensorView> views;
  for (size_t n = 0; n < test.arguments.size(); ++n) {
    const Argument &argument = test.arguments[n];
    mlir::Type type = function.getArgumentTypes()[n];
    DType parameter = tt::dtypeOf(type).value_or(DType::Ptr);
    auto described = llvm::dyn_cast<tt::TensorDescType>(type);
    argument.mustFit(parameter, described ? static_cast<int>(described.getBlockType().getRank()) : 0);
    bits.push_back(argument.bitsFor(parameter));
    if (argument.buffer)
      views.push_back(viewOf(*argument.buffer, n, "arg" + std::to_string(n)));
  }
  auto executable = tier.load(test);
  LaunchRequest request{grid, bits, {}};
  if (executable->wantsTensors())
    request.tensors = views;
  request.threads = static_cast<unsigned>(test.settings.threads);
  executable->launch(request);
}

/// What of the buffers is not as the run's lines expect.
std::string judge(const TestRun &run, const std::vector<Argument> &arguments,
                  const std::vector<Buffer> &before, const Tolerance &tolerance) {
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (!arguments[n].buffer)
      continue;
    const Expectation *found = nullptr;
    for (const Expectation &expect : run.expects)
      if (expect.argument == n)
        found = &expect;
    if (found) {
      if (std::string problem = compare(*arguments[n].buffer, *found, before, tolerance); !problem.empty())
        return problem;
    } else if (arguments[n].buffer->data != before[n].data) {
      return "argument " + std::to_string(n) + " changed, and no line expects that";
    }
  }
  for (const Expectation &expect : run.expects)
    if (expect.argument >= arguments.size() || !arguments[expect.argument].buffer)
      return "line " + std::to_string(expect.line) + " expects a buffer that is no argument";
  return "";
}

std::string runOnce(mlir::ModuleOp module, const TestRun &run, const TestPart &part, const TestedTier &tier,
                    const std::string &way, double limitSeconds) {
  std::string place = "line " + std::to_string(run.line) + (way.empty() ? "" : " (" + way + ")") + ": ";
  std::vector<Argument> arguments;
  try {
    arguments = parseArguments(run.arguments);
  } catch (const InvalidInput &error) {
    return place + error.what();
  }
  std::vector<Buffer> before(arguments.size());
  for (size_t n = 0; n < arguments.size(); ++n)
    if (arguments[n].buffer)
      before[n] = *arguments[n].buffer;
  if (run.settings.sanitizedAlone() && way != "shadow")
    return "";
  std::atomic<bool> stop{false};
  try {
    Watchdog watchdog(limitSeconds, stop);
    std::string kernel = kernelNamed(module, run.settings.kernel, arguments.size());
    launch({module, kernel, run.settings, arguments, way, stop}, tier, run.grid);
  } catch (const KernelFault &fault) {
    std::string kind(faultKindName(fault.fault().kind));
    if (run.fault == kind && std::string(fault.what()).find(run.faultText) != std::string::npos)
      return "";
    return place + fault.what();
  } catch (const Unsupported &reason) {
    if (!run.unsupported.empty() && std::string(reason.what()).find(run.unsupported) != std::string::npos)
      return "";
    if (tier.mayRefuse)
      throw;
    return place + reason.what();
  } catch (const AssemblerError &reason) {
    auto expected = part.unassembled.find(tier.name);
    if (expected != part.unassembled.end() &&
        std::string(reason.what()).find(expected->second) != std::string::npos)
      throw;
    return place + reason.what();
  } catch (const std::exception &error) {
    return place + error.what();
  } catch (...) {
    return place + (stop ? "stopped after " + std::to_string(limitSeconds) + " s" : "interrupted");
  }
  if (!run.fault.empty())
    return place + "expected a fault of kind " + run.fault + ", the run ended well";
  if (!run.unsupported.empty())
    return place + "expected it to be unsupported, the run ended well";
  auto own = part.tolerances.find(tier.name);
  std::string problem =
      judge(run, arguments, before, own == part.tolerances.end() ? part.tolerance : own->second);
  return problem.empty() ? "" : place + problem;
}

/// The text without its position: skipped parts are counted by reason.
std::string reasonAlone(const Unsupported &reason) {
  std::string text = reason.what(), place = reason.position().str() + ": ";
  return text.starts_with(place) ? text.substr(place.size()) : text;
}

/// A tier that the part names has to run it, unless the part says which reason it has not to.
CaseResult judgeRefusal(const TestPart &part, const TestedTier &tier, const std::string &reason) {
  auto expected = part.refused.find(tier.name);
  bool known = expected != part.refused.end() && reason.find(expected->second) != std::string::npos;
  if (known && tier.mayRefuse)
    return {"", Verdict::Skipped, reason, 0};
  std::string line = " and no line says 'unsupported(" + tier.name + "): REASON'";
  if (expected != part.refused.end())
    line = " but the line says: " + expected->second;
  return {"", Verdict::Failed, tier.name + " refuses what the file declares for it: " + reason + "," + line,
          0};
}

} // namespace

std::string kernelNamed(mlir::ModuleOp module, const std::string &name, size_t arguments) {
  tt::FuncOp function = functionNamed(module, name);
  if (function.getNumArguments() != arguments)
    throw InvalidInput("the kernel takes " + std::to_string(function.getNumArguments()) + " arguments, " +
                       std::to_string(arguments) + " are given");
  return function.getSymName().str();
}

TensorView viewOf(const Buffer &buffer, size_t argument, const std::string &name) {
  TensorView view;
  view.argument = static_cast<unsigned>(argument);
  view.name = name;
  view.address = buffer.address();
  view.type = buffer.type;
  view.shape = buffer.shape;
  view.strides.assign(buffer.shape.size(), 1);
  for (size_t d = buffer.shape.size(); d-- > 1;)
    view.strides[d - 1] = view.strides[d] * buffer.shape[d];
  return view;
}

CaseResult runTestPart(const TestPart &part, const TestedTier &tier, double limitSeconds) {
  CaseResult result;
  if (part.runs.empty()) { // whatever the tier: it may be no run test at all
    result.verdict = Verdict::Failed;
    result.message = "line " + std::to_string(part.line) + ": no 'run:' line";
    return result;
  }
  if (!part.isFor(tier.name)) {
    result.verdict = Verdict::Skipped;
    result.message = "not for tier " + tier.name;
    return result;
  }
  try {
    mlir::MLIRContext context;
    tt::loadDialects(context);
    auto module = tt::parseModule(part.body, "test", context);
    for (const TestRun &run : part.runs)
      for (const std::string &way : tier.ways)
        if (std::string problem = runOnce(*module, run, part, tier, way, limitSeconds); !problem.empty()) {
          result.verdict = Verdict::Failed;
          result.message = problem;
          return result;
        }
    if (part.refused.contains(tier.name)) {
      result.verdict = Verdict::Failed;
      result.message = "a line says unsupported(" + tier.name + "), but the tier runs it: drop the line";
    }
  } catch (const Unsupported &reason) {
    return judgeRefusal(part, tier, reasonAlone(reason));
  } catch (const AssemblerError &) { // one that the part names
    result.verdict = Verdict::Skipped;
    result.message = "the assembler says: " + part.unassembled.at(tier.name);
  } catch (const Error &error) {
    result.verdict = Verdict::Failed;
    result.message = error.what();
  }
  return result;
}

std::vector<CaseResult> runTestFile(const std::string &path, const TestedTier &tier, double limitSeconds) {
  std::vector<CaseResult> results;
  std::vector<TestPart> parts;
  try {
    parts = readTestFile(path);
  } catch (const Error &error) {
    results.push_back({path, Verdict::Failed, error.what(), 0});
    return results;
  }
  for (size_t n = 0; n < parts.size(); ++n) {
    auto started = std::chrono::steady_clock::now();
    CaseResult result = runTestPart(parts[n], tier, limitSeconds);
    result.name = path + (parts.size() > 1 ? " part " + std::to_string(n + 1) : "");
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    results.push_back(std::move(result));
  }
  return results;
}

} // namespace trisect::tools
