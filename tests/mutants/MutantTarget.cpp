//===- MutantTarget.cpp - compiles a changed copy -------------------------------------------------------===//
#include "tests/mutants/MutantTarget.h"
#include "backends/Targets.h"
#include "core/passes/PassWatch.h"
#include "core/support/Outcome.h"
#include "mlir/IR/OwningOpRef.h"

namespace trisect::mutants {

namespace {
/// Owned by the registry; null until somebody asks for it.
MutantTarget *registered = nullptr;
/// For the registered one, which may be made later.
Mistake &current() {
  static auto *mistake = new Mistake;
  return *mistake;
}
} // namespace

Artifact MutantTarget::compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &options,
                               Form form) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  if (mistake) {
    mistake(*copy);
    tt::PassWatch::tell("mistake", *copy);
  }
  return right.compile(*copy, kernel, options, form);
}

void registerMutantTarget() {
  registerTargets();
  // The registry is locked while it makes a target.
  static Target *right = TargetRegistry::find("cpu");
  if (!right)
    throw InvalidInput("there is no cpu tier here");
  TargetRegistry::add("mutant", []() -> std::unique_ptr<Target> {
    auto made = std::make_unique<MutantTarget>(*right);
    made->mistake = current();
    registered = made.get();
    return made;
  });
}

void setMistake(Mistake mistake) {
  current() = std::move(mistake);
  if (registered)
    registered->mistake = current();
}

} // namespace trisect::mutants
