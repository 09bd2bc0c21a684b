//===- Replay.cpp - what is stored against what comes out -----------------------------------------------===//
#include "jit/replay/Replay.h"
#include "backends/Targets.h"
#include "core/support/Outcome.h"
#include "jit/check/Alone.h"
#include "jit/replay/OldPages.h"
#include <algorithm>

namespace trisect::jit {

namespace {
struct Same {
  size_t pages = 0, expected = 0, found = 0;
};

/// In how many pages both tiers leave what is stored.
Same compared(const Evidence &stored, const Evidence &now) {
  Same same;
  for (const EvidencePage &page : stored.pages) {
    ++same.pages;
    auto again = std::find_if(now.pages.begin(), now.pages.end(),
                              [&](const EvidencePage &each) { return each.address == page.address; });
    if (again == now.pages.end())
      continue;
    same.expected += again->expected == page.expected && again->written == page.written;
    same.found += again->found == page.found;
  }
  return same;
}

std::string sentence(const std::string &who, size_t same, size_t all) {
  return who + (same == all ? ": " + std::to_string(all) + " pages as stored, byte for byte\n"
                            : ": " + std::to_string(all - same) + " of " + std::to_string(all) +
                                  " pages are not as stored\n");
}
} // namespace

Tier tierOf(const Bundle &bundle) {
  registerTargets();
  if (TargetRegistry::find(bundle.tier))
    return tierNamed(bundle.tier, {});
  if (!bundle.code)
    throw InvalidInput("this machine has no tier '" + bundle.tier +
                       "', which the bundle is of, and it has no code.bin that could be run again");
  return tierNamed(bundle.code->target, {});
}

std::shared_ptr<const Kernel> kernelOf(const Bundle &bundle) {
  auto kernel = Kernel::create(bundle.ttir, bundle.kernel, bundle.options);
  if (bundle.evidence && bundle.evidence->args.size() != kernel->parameters().size())
    throw InvalidInput("launch.json has " + std::to_string(bundle.evidence->args.size()) +
                       " arguments, the kernel takes " + std::to_string(kernel->parameters().size()));
  return kernel;
}

Rerun rerun(const Kernel &kernel, const Tier &tier, std::shared_ptr<const Artifact> code,
            Evidence &evidence) {
  bool together = !code->waits.empty();
  auto executable = tier.device->load(std::move(code));
  std::unique_ptr<InterpExecutable> reference = InterpExecutable::decode(kernel);
  Rerun made;
  made.verdict =
      compareAlone(kernel, *reference, {*executable, tier.device->memory(), together, /*asIs=*/true},
                   evidence.request(), {evidence.programs}, std::chrono::hours(1), &made.evidence);
  return made;
}

Replayed replay(Bundle bundle) {
  auto kernel = kernelOf(bundle);
  Tier tier = tierOf(bundle);
  Replayed result;
  if (!bundle.evidence) {
    try {
      compileFor(tier, *kernel, bundle.form);
      result.text = bundle.tier + " compiles the kernel now\n";
    } catch (const Error &error) {
      result.stillWrong = true;
      result.text = bundle.tier + " fails still: " + error.what() + "\n";
    }
    result.reference = result.code = true;
    return result;
  }
  Evidence &stored = *bundle.evidence;
  OldPages memory(stored);
  if (bundle.code) {
    Rerun again = rerun(*kernel, tier, std::make_shared<const Artifact>(*bundle.code), stored);
    Same same = again.evidence ? compared(stored, *again.evidence) : Same{stored.pages.size(), 0, 0};
    result.reference = same.expected == same.pages;
    result.code = again.verdict.kind == VerdictKind::Different && same.found == same.pages;
    result.text = sentence("tier 0", same.expected, same.pages) +
                  sentence("stored code of " + bundle.tier, same.found, same.pages) + "the stored code is " +
                  again.verdict.describe(bundle.tier) + "\n";
  } else {
    result.text = "the bundle has no code.bin: what the stored code left cannot be made again\n";
  }
  Rerun now = rerun(*kernel, tier, compileFor(tier, *kernel, bundle.form), stored);
  result.stillWrong = now.verdict.kind == VerdictKind::Different;
  result.text += "what " + std::string(tier.target->name()) + " compiles now is " +
                 now.verdict.describe(bundle.tier) + "\n";
  return result;
}

} // namespace trisect::jit
