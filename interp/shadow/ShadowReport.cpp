//===- ShadowReport.cpp - the facts of a finding --------------------------------------------------------===//
#include "core/support/OpTable.h"
#include "interp/observe/Trace.h"
#include "interp/shadow/Shadow.h"

namespace trisect::interp {

std::string Shadow::nameOf(SlotId slot) const { return s.program.strings[s.program.slots[slot].name]; }

FindingSite Shadow::siteOf(const Instr &i) const {
  FindingSite site;
  const auto &locations = s.program.locations;
  site.position = locations[i.location].position;
  for (uint32_t at = locations[i.location].caller; at; at = locations[at].caller)
    if (locations[at].position.known())
      site.callers.push_back(locations[at].position);
  site.programId = {s.id[0], s.id[1], s.id[2]};
  site.operation = std::string(info(i.op).mnemonic);
  return site;
}

Finding Shadow::finding(const Instr &i, FaultKind kind) const {
  Finding found;
  found.kind = kind;
  found.kernel = s.program.kernel;
  found.site = siteOf(i);
  found.grid = {s.request.grid.x, s.request.grid.y, s.request.grid.z};
  if (run.isNew(kind, i.location))
    found.variables = namedValues(s, i);
  return found;
}

void Shadow::report(Finding finding, const Instr &i) {
  if (finding.tensor && run.isNew(finding.kind, i.location))
    if (int32_t view = run.views.ofArgument(static_cast<unsigned>(finding.tensor->argument));
        view != Views::none)
      finding.touched = run.touched.of(view);
  run.report(std::move(finding), i.location);
}

void Shadow::addTensor(Finding &found, int32_t tensor, uint64_t address) const {
  found.address = address;
  if (tensor == Views::none)
    return;
  const RegisteredView &registered = run.views[tensor];
  const TensorView &view = registered.view;
  found.tensor = FindingTensor{
      static_cast<int>(view.argument), view.name, view.address, view.type, view.shape, view.strides};
  found.index = registered.extent.indexOf(address);
}

void Shadow::addLanes(Finding &found, const Shape &shape, Lanes lanes) const {
  found.lanes = lanes.count;
  found.block = shape.dims;
  found.lane.assign(shape.dims.size(), 0);
  int64_t rest = std::max<int64_t>(lanes.first, 0);
  for (size_t d = shape.dims.size(); d-- > 0;) {
    found.lane[d] = rest % shape.dims[d];
    rest /= shape.dims[d];
  }
}

} // namespace trisect::interp
