//===- ShadowRun.cpp - findings become faults or counts -------------------------------------------------===//
#include "interp/shadow/ShadowRun.h"
#include "interp/shadow/Shadow.h"
#include <algorithm>

namespace trisect::interp {

namespace {

constexpr size_t mostPrograms = 16; ///< listed with a finding

std::string tuple(const std::array<int32_t, 3> &id) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")";
}

std::string list(const std::vector<int64_t> &numbers) {
  std::string text = "(";
  for (size_t n = 0; n < numbers.size(); ++n)
    text += (n ? ", " : "") + std::to_string(numbers[n]);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

bool wantsRaces(const SanitizeOptions &options) {
  return options.has(FaultKind::Race) || options.has(FaultKind::RedundantStore);
}

} // namespace

ShadowRun::ShadowRun(const Program &program, const LaunchRequest &request, const SanitizeOptions &options,
                     MemoryPolicy *memory)
    : program(program), request(request), options(options), plan(program, options),
      views(request.tensors, options.has(FaultKind::UninitializedRead)), touched(views) {
  if (wantsRaces(options) && program.writesMemory && request.grid.programs() > 1)
    races = std::make_unique<Races>(views, plan.written, plan.writesUnknown, plan.narrowest, memory);
}

std::string faultText(const Finding &finding) {
  std::string text =
      std::string(faultKindName(finding.kind)) + ": " + finding.headline + "\n  in kernel " + finding.kernel;
  if (finding.site.programId)
    text += ", program " + tuple(*finding.site.programId);
  if (finding.site.position.known())
    text += ", " + finding.site.position.str();
  for (const SourcePosition &caller : finding.site.callers)
    text += "\n  called from " + caller.str();
  for (const FindingSite &site : finding.related) {
    text += "\n  " + site.role + " " + (site.position.known() ? "at " + site.position.str() : "elsewhere");
    if (site.programId)
      text += ", program " + tuple(*site.programId);
    if (!site.text.empty())
      text += ": " + site.text;
  }
  return text;
}

KernelFault faultOf(Finding finding) {
  Fault fault;
  fault.kind = finding.kind;
  fault.kernel = finding.kernel;
  fault.position = finding.site.position;
  if (finding.site.programId)
    fault.programId = *finding.site.programId;
  fault.message = faultText(finding);
  auto detail = [&](const char *name, const std::string &text) {
    if (!text.empty())
      fault.details.emplace_back(name, text);
  };
  if (finding.tensor) {
    detail("tensor", finding.tensor->name);
    detail("shape", list(finding.tensor->shape));
    if (!finding.index.empty())
      detail("index", list(finding.index));
  }
  if (finding.kind == FaultKind::OutOfBounds && finding.tensor)
    detail("distance", std::to_string(finding.distance));
  if (finding.landsIn)
    detail("lands in", finding.landsIn->name + list(finding.landsIndex));
  detail("variable", finding.variable);
  detail("value", finding.value);
  if (!finding.lane.empty())
    detail("lane", list(finding.lane));
  for (const FindingSite &site : finding.related)
    detail(site.role.c_str(), (site.position.known() ? site.position.str() : std::string("elsewhere")) +
                                  (site.text.empty() ? "" : ": " + site.text));
  fault.finding = std::make_shared<const Finding>(std::move(finding));
  return KernelFault(std::move(fault));
}

ShadowRun::Key ShadowRun::keyOf(FaultKind kind, uint32_t location) const {
  const SourcePosition &position = program.locations[location].position;
  return {static_cast<int>(kind),
          position.known() ? position.file + ":" + std::to_string(position.line) : std::to_string(location)};
}

void ShadowRun::report(Finding finding, uint32_t location) {
  if (options.collect == 0)
    throw faultOf(std::move(finding));
  Key key = keyOf(finding.kind, location);
  auto found = known.find(key);
  if (found != known.end()) {
    Finding &first = collected[found->second];
    ++first.count;
    const auto &id = finding.site.programId;
    if (id && first.programs.size() < mostPrograms &&
        std::find(first.programs.begin(), first.programs.end(), *id) == first.programs.end())
      first.programs.push_back(*id);
    return;
  }
  if (static_cast<int>(collected.size()) >= options.collect)
    return;
  known[key] = collected.size();
  if (finding.site.programId)
    finding.programs = {*finding.site.programId};
  collected.push_back(std::move(finding));
}

std::unique_ptr<Rider> ShadowRun::along(Instance &instance) {
  return std::make_unique<Shadow>(*this, instance);
}

std::vector<Finding> ShadowRun::take() {
  known.clear();
  return std::exchange(collected, {});
}

RidersOf shadowing(const SanitizeOptions &options) {
  if (!options.active())
    return {};
  return [options](const Program &program, const LaunchRequest &request) {
    return std::make_unique<ShadowRun>(program, request, options);
  };
}

} // namespace trisect::interp
