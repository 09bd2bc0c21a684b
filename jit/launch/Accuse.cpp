//===- Accuse.cpp - location and bundle -----------------------------------------------------------------===//
#include "jit/launch/Accuse.h"
#include "jit/bundle/Store.h"
#include "jit/locate/Locate.h"

namespace trisect::jit {

std::string accuse(const std::shared_ptr<const Kernel> &kernel, const Choice &choice,
                   const LaunchRequest &request, Evidence evidence, const std::string &sentence) {
  const Variant &variant = *choice.variant;
  LaunchRequest alone = request;
  alone.part = evidence.programs;
  Bundle bundle;
  bundle.kernel = kernel->name();
  bundle.tier = variant.tierName();
  bundle.form = variant.form();
  bundle.options = kernel->options();
  // Bytes that the code holds, and what the bundle says itself.
  bundle.options.erase("artifact");
  bundle.options.erase("tier");
  bundle.versions = currentVersions();
  bundle.versions["isa"] = choice.code->artifact->isa;
  bundle.ttir = kernel->text();
  bundle.code = *choice.code->artifact;
  bundle.location = locate(kernel, variant.rung(), variant.form(), alone, evidence.verdict);
  bundle.evidence = std::move(evidence);
  bundle.sentence = sentence + "; " + bundle.location->describe(bundle.tier);
  return "; " + bundle.location->describe(bundle.tier) + keepBundle(bundle);
}

} // namespace trisect::jit
