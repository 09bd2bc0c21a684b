//===- Report.cpp - the facts of a finding --------------------------------------------------------------===//
#include "interp/shadow/Report.h"
#include "core/support/OpTable.h"
#include "interp/observe/NumpyText.h"
#include "interp/observe/Summary.h"
#include <algorithm>

namespace trisect::interp {

std::string nameOf(const Instance &s, SlotId slot) { return s.program.strings[s.program.slots[slot].name]; }

FindingSite siteOf(const Travel &travel, const Instr &i) {
  const Instance &s = travel.s;
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

Finding findingAt(const Travel &travel, const Instr &i, FaultKind kind) {
  const Instance &s = travel.s;
  Finding found;
  found.kind = kind;
  found.kernel = s.program.kernel;
  found.site = siteOf(travel, i);
  found.grid = {s.request.grid.x, s.request.grid.y, s.request.grid.z};
  if (travel.run.isNew(kind, i.location))
    found.variables = namedValues(s, i);
  return found;
}

void report(Travel &travel, Finding finding, const Instr &i) {
  if (finding.tensor && travel.run.isNew(finding.kind, i.location))
    if (int32_t view = travel.run.views.ofArgument(static_cast<unsigned>(finding.tensor->argument));
        view != Views::none)
      finding.touched = travel.run.touched.of(view);
  travel.run.report(std::move(finding), i.location);
}

void addTensor(const Travel &travel, Finding &found, int32_t tensor, uint64_t address) {
  found.address = address;
  if (tensor == Views::none)
    return;
  const RegisteredView &registered = travel.run.views[tensor];
  const TensorView &view = registered.view;
  found.tensor = FindingTensor{static_cast<int>(view.argument),
                               view.name,
                               view.address,
                               view.type,
                               view.shape,
                               view.strides,
                               view.isSigned};
  found.index = registered.extent.indexOf(address);
}

void addLanes(Finding &found, const Shape &shape, FaultyLanes lanes) {
  found.lanes = lanes.count;
  found.block = shape.dims;
  found.lane.assign(shape.dims.size(), 0);
  int64_t rest = std::max<int64_t>(lanes.first, 0);
  for (size_t d = shape.dims.size(); d-- > 0;) {
    found.lane[d] = rest % shape.dims[d];
    rest /= shape.dims[d];
  }
}

std::string tupleText(const std::vector<int64_t> &numbers) {
  std::string text = "(";
  for (size_t n = 0; n < numbers.size(); ++n)
    text += (n ? ", " : "") + std::to_string(numbers[n]);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

std::string bytesText(int64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

const char *accessVerb(const Instr &i) {
  return isPlainLoad(i.opcode) ? "load" : isPlainStore(i.opcode) ? "store" : "atomic access";
}

std::string elementText(const char *data, DType type, const std::optional<FindingTensor> &tensor) {
  uint64_t bits = 0;
  std::memcpy(&bits, data, byteSize(type));
  return numpyText(&bits, {}, {type, !tensor || tensor->isSigned});
}

} // namespace trisect::interp
