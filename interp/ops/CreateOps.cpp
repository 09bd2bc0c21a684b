//===- CreateOps.cpp - values out of nothing ------------------------------------------------------------===//
#include "interp/ops/Handlers.h"

namespace trisect::interp {

void programId(Instance &s, const Instr &i) { s.result(i).setSplat(uint32_t(s.id[i.attribute])); }

void numPrograms(Instance &s, const Instr &i) {
  const Grid &grid = s.request.grid;
  int32_t extents[] = {grid.x, grid.y, grid.z};
  s.result(i).setSplat(uint32_t(extents[i.attribute]));
}

void undefined(Instance &s, const Instr &i) {
  for (unsigned n = 0; n < i.numResults; ++n)
    s.result(i, n).setSplat(0);
}

} // namespace trisect::interp
