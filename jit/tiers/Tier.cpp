//===- Tier.cpp - tiers out of the registry of targets --------------------------------------------------===//
#include "jit/tiers/Tier.h"
#include "backends/Targets.h"
#include "core/ir/KeptContext.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"
#include "core/support/PerThread.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace trisect::jit {

namespace {
/// The last answer on a thread: every launch asks, and targets stay.
struct Answer {
  std::string name; ///< as asked; empty: for tierFor()
  DeviceId where;
  Tier tier{};
};
} // namespace

Tier tierNamed(std::string_view name, DeviceId where) {
  static constinit PerThread<Answer> answers;
  Answer &last = answers.get();
  if (last.tier.target && last.name == name && last.where == where)
    return last.tier;
  registerTargets();
  Target *target = TargetRegistry::find(name);
  if (!target)
    throw Unsupported("this machine has no " + std::string(name) + " tier");
  Device *device = target->device(where);
  if (!device)
    throw Unsupported("the " + std::string(name) + " tier cannot run here on the memory of these arguments");
  last = {std::string(name), where, {target, device}};
  return last.tier;
}

std::optional<Tier> tierFor(DeviceId where) {
  static constinit PerThread<Answer> answers;
  Answer &last = answers.get();
  if (last.tier.target && last.where == where)
    return last.tier;
  registerTargets();
  std::vector<Target *> targets = TargetRegistry::runningOn(where);
  if (targets.empty())
    return std::nullopt;
  last = {"", where, {targets.front(), targets.front()->device(where)}};
  return last.tier;
}

std::shared_ptr<const Artifact> compileFor(const Tier &tier, const Kernel &kernel, Form form) {
  ForkSection whole;
  tt::KeptContext context(spaceToCompile, "to compile a kernel");
  auto module = kernel.parse(*context);
  auto options = tier.target->readOptions(kernel.options());
  return std::make_shared<const Artifact>(tier.target->compile(*module, kernel.name(), *options, form));
}

} // namespace trisect::jit
