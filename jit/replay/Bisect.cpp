//===- Bisect.cpp - tier 0 after every pass -------------------------------------------------------------===//
#include "jit/replay/Bisect.h"
#include "core/ir/Parse.h"
#include "core/passes/PassWatch.h"
#include "core/support/Outcome.h"
#include "jit/check/Compare.h"
#include "jit/reference/PageReader.h"
#include "jit/replay/OldPages.h"
#include "jit/replay/Replay.h"

namespace trisect::jit {

namespace {
struct Snapshot {
  std::string pass, module;
};

/// Of a compile that fails, those of the passes before.
std::vector<Snapshot> afterEachPass(const Kernel &kernel, const Tier &tier, Form form, std::string &failure) {
  std::vector<Snapshot> all;
  tt::PassWatch watch([&](const std::string &pass, mlir::ModuleOp module) {
    all.push_back({pass, tt::printBytecode(module)});
  });
  try {
    compileFor(tier, kernel, form);
  } catch (const Error &error) {
    failure = error.what();
  }
  return all;
}

/// The first difference from what is stored that no rounding explains.
std::optional<Difference> differenceOf(const InterpExecutable &executable, const InterpExecutable &reference,
                                       Evidence &evidence, NumericProfile numerics) {
  LaunchRequest request = evidence.request();
  interp::Overlay overlay = overlayOver(hostMemory());
  executable.runAside(request, evidence.programs, overlay);
  std::optional<Legality> legality;
  if (evidence.programs.count == 1)
    legality.emplace(reference, request, evidence.programs, hostMemory(), numerics);
  Tensors tensors(evidence.tensors);
  Verdict verdict;
  constexpr size_t pageBytes = interp::Overlay::pageBytes;
  auto bytes = [](const std::string &text) {
    return std::span(reinterpret_cast<const uint8_t *>(text.data()), text.size());
  };
  std::map<uint64_t, const uint8_t *> found;
  overlay.forEachPage([&](const interp::Overlay::Touched &page) { found[page.address] = page.now; });
  for (const EvidencePage &page : evidence.pages) {
    auto now = found.find(page.address);
    std::span<const uint8_t> content =
        now == found.end() ? bytes(page.before) : std::span(now->second, pageBytes);
    compare({page.address, bytes(page.expected), bytes(page.written), content}, tensors,
            legality ? &*legality : nullptr, verdict);
  }
  return verdict.first;
}
} // namespace

Bisected bisect(Bundle bundle) {
  if (!bundle.evidence)
    throw InvalidInput("the bundle is of a compile that failed: there is no output to compare");
  auto kernel = kernelOf(bundle);
  Tier tier = tierOf(bundle);
  OldPages memory(*bundle.evidence);
  std::unique_ptr<InterpExecutable> reference = InterpExecutable::decode(*kernel);
  Bisected result;
  std::string failure;
  for (const Snapshot &snapshot : afterEachPass(*kernel, tier, bundle.form, failure)) {
    ++result.passes;
    std::string line = std::to_string(result.passes) + " " + snapshot.pass + ": ";
    try {
      auto left = Kernel::create(snapshot.module, bundle.kernel, bundle.options);
      if (left->parameters().size() != kernel->parameters().size())
        throw Unsupported("its kernel takes other arguments");
      auto difference = differenceOf(*InterpExecutable::decode(*left), *reference, *bundle.evidence,
                                     tier.target->numerics());
      line += difference ? difference->describe("what it leaves") : "tier 0 gives the same";
      if (difference && result.pass.empty()) {
        result.pass = snapshot.pass;
        result.number = result.passes;
      }
    } catch (const Error &error) {
      ++result.passedOver;
      line += std::string("passed over: ") + error.what();
    }
    result.text += line + "\n";
  }
  if (!failure.empty())
    result.text += "then compiling failed: " + failure + "\n";
  result.text += result.pass.empty()
                     ? "no pass over TTIR changes what the kernel gives: the difference comes from what " +
                           bundle.tier + " makes of its last module\n"
                     : "the first pass after which tier 0 gives something else is " + result.pass +
                           ", number " + std::to_string(result.number) + " of " +
                           std::to_string(result.passes) + "\n";
  return result;
}

} // namespace trisect::jit
