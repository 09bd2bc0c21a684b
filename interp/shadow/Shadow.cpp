//===- Shadow.cpp - what happens around each instruction ------------------------------------------------===//
#include "interp/shadow/Shadow.h"
#include "interp/ops/Handlers.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

bool DroppingMemory::allows(uint64_t address, int64_t bytes) const {
  return allowed != Views::none ? views[allowed].extent.contains(address, bytes)
                                : views.find(address, bytes) != Views::none || isMapped(address, bytes);
}

void DroppingMemory::read(const AccessSite &, uint64_t address, void *into, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += size) {
    char *to = static_cast<char *>(into) + at;
    if (allows(address + uint64_t(at), size))
      std::memcpy(to, reinterpret_cast<const void *>(address + uint64_t(at)), size);
    else
      std::memset(to, 0, size);
  }
}

void DroppingMemory::write(const AccessSite &, uint64_t address, const void *from, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += size)
    if (allows(address + uint64_t(at), size))
      std::memcpy(reinterpret_cast<void *>(address + uint64_t(at)), static_cast<const char *>(from) + at,
                  size);
}

Shadow::Shadow(ShadowRun &run, Instance &instance)
    : run(run), s(instance), shades(instance.program.slots.size()), records(instance.program.code.size()),
      dropping(run.views), usual(instance.policy) {
  for (size_t n = 0; n < s.program.parameters.size(); ++n) {
    const Parameter &parameter = s.program.parameters[n];
    if (s.type(parameter.slot) != DType::Ptr)
      continue;
    int32_t tensor = run.views.ofArgument(static_cast<unsigned>(n));
    if (tensor == Views::none)
      tensor = run.views.around(s.slot(parameter.slot).base);
    shade(parameter.slot).tensor = tensor;
  }
}

void Shadow::restart() {
  std::fill(records.begin(), records.end(), Record{});
  std::erase_if(births, [&](const auto &each) { return each.first >= s.program.uniformEnd; });
  s.policy = usual;
  if (s.linear == 0 && has(FaultKind::BrokenHint))
    checkArguments();
}

void Shadow::cleanResults(const Instr &i) {
  for (unsigned n = 0; n < i.numResults; ++n) {
    Shade &result = shade(s.resultSlot(i, n));
    result.clean();
    result.tensor = Shade::unknown;
  }
}

void Shadow::before(const Instr &i) {
  if (run.plan.flags[indexOf(i)] & ShadowFinite)
    noteFinite(i);
  if (doubt && indexOf(i) >= doubtEnd)
    doubt = 0;
  switch (i.opcode) {
  case Opcode::Elementwise:
    return elementwise(i);
  case Opcode::Move:
    return move(i);
  case Opcode::Branch:
    return control(i, 0, "a branch");
  case Opcode::ForTest:
    control(i, 0, "the trip count of a loop");
    return control(i, 1, "the trip count of a loop");
  case Opcode::ForNext:
    return control(i, 1, "the trip count of a loop");
  case Opcode::Undefined: {
    cleanResults(i);
    if (has(FaultKind::UndefinedValue))
      for (unsigned n = 0; n < i.numResults; ++n)
        shade(s.resultSlot(i, n)).setAll(makeTaint(TaintKind::Undefined, indexOf(i)));
    return;
  }
  case Opcode::Gather:
    return gatherElements(i);
  case Opcode::Load:
    return load(i);
  case Opcode::Store:
    return store(i);
  case Opcode::BlockLoad:
  case Opcode::BlockStore:
  case Opcode::BlockReduce:
    return tile(i);
  case Opcode::BlockGather:
  case Opcode::BlockScatter:
    return rowsOfTile(i);
  case Opcode::Reduce:
  case Opcode::Scan:
    return fold(i);
  case Opcode::Dot:
    return product(i);
  case Opcode::InlineAsm:
    return assembly(i);
  case Opcode::DotScaled:
    return scaledProduct(i);
  case Opcode::Histogram:
    return count(i);
  case Opcode::Assert:
    return decides(i, 0, "an assertion");
  case Opcode::Assume:
    return checkAssume(i);
  default:
    if (movesElements(i.opcode))
      return moveElements(i);
    if (isAtomic(i.opcode))
      return atomic(i);
    cleanResults(i);
  }
}

void Shadow::after(const Instr &i) {
  s.policy = usual;
  uint8_t flags = run.plan.flags[indexOf(i)];
  if (flags & ShadowHinted)
    checkHints(i);
  if (flags & ShadowFinite)
    checkFinite(i);
  // An address out of memory or arithmetic: the tensor that lies there.
  if ((flags & ShadowFoundPointer) && i.opcode != Opcode::Move && i.opcode != Opcode::Splat) {
    Shade &result = shade(s.resultSlot(i));
    const Value &value = s.result(i);
    if (result.tensor == Shade::unknown && value.isSplat() && value.base)
      result.tensor = run.views.around(value.base);
  }
}

} // namespace trisect::interp
