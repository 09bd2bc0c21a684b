//===- Trial.cpp - runs of one mistake ------------------------------------------------------------------===//
#include "tests/mutants/Trial.h"
#include "core/ir/Parse.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "jit/check/Alone.h"
#include "jit/check/Legality.h"
#include "jit/launch/TieredKernel.h"
#include "jit/replay/OldPages.h"
#include "jit/replay/Replay.h"
#include "jit/tools/Mirror.h"
#include "tests/mutants/MutantTarget.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <fstream>
#include <sstream>

namespace trisect::mutants {

namespace {
/// A launch on copies of a test's arguments.
struct CopiedLaunch {
  tools::Mirror mirror;
  std::vector<ArgBits> bits;
  std::vector<TensorView> views;
  LaunchRequest request;

  CopiedLaunch(MappedMemory &memory, const jit::Kernel &kernel, const std::vector<tools::Argument> &arguments,
               Grid grid)
      : mirror(memory, tools::rangesOf(arguments)) {
    const auto &parameters = kernel.parameters();
    for (size_t n = 0; n < arguments.size() && n < parameters.size(); ++n) {
      bits.push_back(mirror.there(arguments[n], arguments[n].bitsFor(parameters[n].type)));
      if (!arguments[n].buffer)
        continue;
      TensorView view = tools::viewOf(*arguments[n].buffer, n, parameters[n].name);
      view.address = mirror.there(view.address);
      views.push_back(view);
    }
    request.grid = grid;
    request.args = bits;
    request.tensors = views;
  }
};

std::vector<ProgramRange> everyProgram(const Grid &grid) {
  std::vector<ProgramRange> all;
  for (int64_t id = 0; id < grid.programs(); ++id)
    all.push_back({id, 1});
  return all;
}

/// The number of the operation that a bundle's report names.
std::optional<unsigned> namedOp(const std::filesystem::path &bundle) {
  std::ifstream file(bundle / "report.json");
  std::stringstream text;
  text << file.rdbuf();
  llvm::Expected<llvm::json::Value> report = llvm::json::parse(text.str());
  if (!report) {
    llvm::consumeError(report.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *location = report->getAsObject()->getObject("location");
  auto number = location ? location->getInteger("number") : std::nullopt;
  return number ? std::optional(static_cast<unsigned>(*number)) : std::nullopt;
}

jit::Verdict compareFull(const jit::Kernel &kernel, const LaunchRequest &request) {
  jit::Tier tier = jit::tierNamed("mutant", {});
  auto reference = jit::InterpExecutable::decode(kernel);
  auto executable = tier.device->load(jit::compileFor(tier, kernel, Form::Any));
  return jit::compareAlone(kernel, *reference, {*executable, tier.device->memory()}, request,
                           everyProgram(request.grid), std::chrono::hours(1));
}
} // namespace

Trial::Trial(mlir::ModuleOp module, const std::string &kernelName,
             const std::vector<tools::Argument> &arguments, Grid grid, std::filesystem::path bundles,
             bool keep)
    : module(module),
      kernel(jit::Kernel::create(tt::printBytecode(module), kernelName, {{"tier", "mutant"}})),
      arguments(arguments), grid(grid), bundles(std::move(bundles)), keep(keep) {
  setMistake({});
  try {
    reference = onCopies(
        [&](const LaunchRequest &request) { jit::InterpExecutable::decode(*kernel)->launch(request); });
    right = compiled();
    CopiedLaunch launch(memory, *kernel, arguments, grid);
    jit::Verdict verdict = compareFull(*kernel, launch.request);
    if (verdict.kind == jit::VerdictKind::Different)
      alarm = verdict.describe("cpu");
    else if (!verdict.good())
      skip = verdict.describe("cpu");
    if (reference.faulted || right.faulted)
      skip = "the kernel faults";
  } catch (const Error &error) {
    skip = error.what();
  }
}

template <class Launch> Trial::Result Trial::onCopies(Launch launch) {
  std::vector<std::vector<uint8_t>> before;
  for (const tools::Argument &argument : arguments)
    before.push_back(argument.buffer ? argument.buffer->data : std::vector<uint8_t>());
  Result result;
  {
    CopiedLaunch copied(memory, *kernel, arguments, grid);
    try {
      launch(copied.request);
    } catch (const KernelFault &) {
      result.faulted = true;
    }
    copied.mirror.copyBack();
  }
  for (size_t n = 0; n < arguments.size(); ++n)
    if (arguments[n].buffer) {
      result.bytes.push_back(arguments[n].buffer->data);
      arguments[n].buffer->data = before[n];
    }
  return result;
}

Trial::Result Trial::compiled() {
  jit::Tier tier = jit::tierNamed("mutant", {});
  auto executable = tier.device->load(jit::compileFor(tier, *kernel, Form::Any));
  return onCopies([&](const LaunchRequest &request) { executable->launch(request); });
}

/// Whether the whole launch leaves something else than tier 0's where no program leaves anything open.
bool Trial::showsBeyond(const Result &mutant) {
  if (mutant.faulted)
    return true;
  CopiedLaunch launch(memory, *kernel, arguments, grid);
  auto interpreter = jit::InterpExecutable::decode(*kernel);
  std::vector<jit::Legality> open;
  for (int64_t id = 0; id < grid.programs(); ++id)
    open.emplace_back(*interpreter, launch.request, ProgramRange{id, 1}, hostMemory(), NumericProfile::Cpu);
  if (std::any_of(open.begin(), open.end(), [](const jit::Legality &each) { return !each.lost().empty(); }))
    return false;
  size_t buffer = 0, view = 0;
  for (size_t n = 0; n < arguments.size(); ++n) {
    if (!arguments[n].buffer)
      continue;
    const std::vector<uint8_t> &want = reference.bytes[buffer], &have = mutant.bytes[buffer];
    uint64_t address = launch.views[view].address;
    for (size_t i = 0; i < want.size(); ++i)
      if (want[i] != have[i] && right.bytes[buffer][i] != have[i] &&
          std::none_of(open.begin(), open.end(),
                       [&](const jit::Legality &each) { return each.at(address + i).has_value(); }))
        return true;
    ++buffer, ++view;
  }
  return false;
}

bool Trial::foundByAll() {
  CopiedLaunch launch(memory, *kernel, arguments, grid);
  return compareFull(*kernel, launch.request).kind == jit::VerdictKind::Different;
}

void Trial::launches(const char *check, int times, Outcome &outcome, bool &found) {
  bool first = std::string_view(check) == "promote";
  setOption(OptionId::Check, check);
  setOption(OptionId::BundleCount, first ? "1000" : "0");
  setOption(OptionId::Bundles, bundles.string());
  auto tiered = jit::TieredKernel::create(kernel);
  for (int time = 0; time < times && !found; ++time) {
    onCopies([&](const LaunchRequest &request) { tiered->launch(request); });
    for (const jit::Event &event : tiered->events()) {
      if (first)
        outcome.said = event.text;
      found |= event.kind == jit::Event::Kind::Withdrawn;
    }
  }
  for (OptionId option : {OptionId::Check, OptionId::BundleCount, OptionId::Bundles})
    setOption(option, std::nullopt);
}

void Trial::replay(const std::string &sentence, Outcome &outcome) const {
  constexpr std::string_view mark = "; bundle in ";
  size_t at = sentence.find(mark);
  outcome.bundled = at != std::string::npos;
  if (!outcome.bundled)
    return;
  std::filesystem::path directory = sentence.substr(at + mark.size());
  outcome.sameOp = namedOp(directory) == outcome.place.op;
  setMistake({});
  try {
    jit::Bundle bundle = jit::Bundle::read(directory);
    jit::Replayed result = jit::replay(bundle);
    // Without the mistake the compiler makes what is right.
    outcome.replayed = result.reference && result.code && !result.stillWrong;
    if (!outcome.replayed)
      outcome.said += "; replay: " + result.text;
  } catch (const Error &error) {
    outcome.said += std::string("; replay: ") + error.what();
  }
  if (!keep)
    std::filesystem::remove_all(directory);
}

std::optional<Outcome> Trial::run(const std::string &kind, unsigned site) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.site = site;
  {
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
    std::optional<Place> place = mutate(*copy, kind, site);
    if (!place)
      return std::nullopt;
    outcome.place = *place;
  }
  setMistake([&](mlir::ModuleOp changed) { mutate(changed, kind, site); });
  try {
    Result mutant = compiled();
    if (!mutant.faulted && mutant.bytes == right.bytes) {
      outcome.said = "changes nothing";
    } else {
      outcome.full = foundByAll();
      outcome.shown = outcome.full || showsBeyond(mutant);
    }
    if (outcome.shown) {
      launches("promote", 1, outcome, outcome.promote);
      launches("always", 4, outcome, outcome.always);
      if (outcome.promote)
        replay(outcome.said, outcome);
    }
  } catch (const Error &error) {
    outcome.said = std::string("does not compile: ") + error.what();
  }
  setMistake({});
  return outcome;
}

} // namespace trisect::mutants
