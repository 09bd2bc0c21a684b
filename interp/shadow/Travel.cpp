//===- Travel.cpp - what rides along with a program in shadow mode --------------------------------------===//
#include "interp/shadow/Travel.h"
#include <cstring>

namespace trisect::interp {

Travel::Travel(ShadowRun &run, Instance &instance)
    : run(run), s(instance), slots(instance.program.slots.size()), dropping(run.views, instance.policy),
      usual(instance.policy) {
  for (size_t n = 0; n < s.program.parameters.size(); ++n) {
    const Parameter &parameter = s.program.parameters[n];
    if (s.type(parameter.slot) != DType::Ptr)
      continue;
    int32_t tensor = run.views.ofArgument(static_cast<unsigned>(n));
    if (tensor == Views::none)
      tensor = run.views.around(s.slot(parameter.slot).base);
    of(parameter.slot).tensor = tensor;
  }
}

void Travel::peek(uint64_t address, void *into, int64_t bytes) const {
  if (usual)
    usual->read({}, address, into, bytes);
  else
    std::memcpy(into, reinterpret_cast<const void *>(address), static_cast<size_t>(bytes));
}

bool Travel::mapped(uint64_t address, int64_t bytes) const {
  return usual ? usual->maps(address, bytes) : isMapped(address, bytes);
}

void Travel::clean(const Instr &i) {
  for (unsigned n = 0; n < i.numResults; ++n) {
    Taints &result = of(s.resultSlot(i, n));
    result.clean();
    result.tensor = Taints::unknown;
  }
}

} // namespace trisect::interp
