//===- Module.cpp - reading, checking, printing and transforming modules --------------------------------===//
#include "core/ir/CallLimits.h"
#include "core/ir/DiagnosticCollector.h"
#include "core/ir/Parse.h"
#include "core/passes/DumpInstrumentation.h"
#include "core/passes/LocateInText.h"
#include "core/passes/Passes.h"
#include "core/support/ForkGate.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "python/bindings/facade/IrState.h"
#include "llvm/Support/raw_ostream.h"

namespace trisect::ir {

namespace {

mlir::ModuleOp op(const Module &module) {
  mlirContext(module.state->context);
  return *module.state->module;
}

} // namespace

Module parse(std::string_view source, std::string_view fileName, const Context *into) {
  Context context = into ? *into : Context::create();
  auto module = tt::parseModule(source, fileName, *mlirContext(context));
  return {std::make_shared<ModuleState>(context.state, module.release())};
}

Operation Module::operation() const { return wrap(state, op(*this).getOperation()); }
Block Module::body() const { return wrap(state, op(*this).getBody()); }
Context Module::context() const { return {state->context}; }

std::vector<Function> Module::functions() const {
  std::vector<Function> all;
  for (mlir::Operation &nested : *op(*this).getBody())
    if (mlir::isa<mlir::FunctionOpInterface>(nested))
      all.push_back(wrapFunction(state, &nested));
  return all;
}

std::optional<Function> Module::function(std::string_view symbol) const {
  for (Function &function : functions())
    if (function.symbol() == symbol)
      return function;
  return std::nullopt;
}

std::vector<Operation> Module::walk() const {
  std::vector<Operation> all;
  op(*this)->walk([&](mlir::Operation *nested) { all.push_back(wrap(state, nested)); });
  return all;
}

void Module::verify() const { operation().verify(); }

std::string Module::str(bool generic, bool locations) const {
  return tt::printModule(op(*this), {.locations = locations, .generic = generic});
}

std::string Module::bytecode() const {
  verify();
  return tt::printBytecode(op(*this));
}

std::string Module::locateInText(std::string_view file) const {
  verify();
  return tt::locateInText(op(*this), {file.data(), file.size()});
}

Module Module::clone() const {
  state->checkNothingEscapes();
  return {std::make_shared<ModuleState>(state->context, mlir::ModuleOp(op(*this).clone()))};
}

void Module::runPasses(std::string_view pipeline) const {
  ForkSection whole;
  tt::registerPasses();
  verify();
  mlir::MLIRContext *context = mlirContext(state->context);
  mlir::PassManager manager(context, mlir::ModuleOp::getOperationName());
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (mlir::failed(mlir::parsePassPipeline({pipeline.data(), pipeline.size()}, manager, stream)))
    throw InvalidInput("not a pass pipeline: '" + std::string(pipeline) + "'\n" + problem);
  mlir::ModuleOp module = op(*this);
  std::unique_ptr<DumpSink> sink = tt::showPassesIfAsked(manager, module);
  tt::DiagnosticCollector diagnostics(*context);
  if (mlir::failed(tt::checkCallLimits(module)))
    diagnostics.throwInvalidInput("the kernel is too large");
  // A failed pass may leave anything behind, so handles end in both cases.
  ++state->epoch;
  BusyScope busy(*state->context);
  if (mlir::failed(manager.run(module))) {
    auto at = [](const Diagnostic &diagnostic) { return diagnostic.position.known(); };
    if (std::any_of(diagnostics.diagnostics().begin(), diagnostics.diagnostics().end(), at))
      diagnostics.throwInvalidInput("a pass failed");
    throw EngineError("pipeline '" + std::string(pipeline) + "' failed: " + diagnostics.render());
  }
}

} // namespace trisect::ir
