//===- MapOps.cpp - map_elementwise ---------------------------------------------------------------------===//
//
// What: runs a scalar region for each group of `pack` neighbouring elements: argument k * pack + j is element
// j of the group of input k, and results likewise.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/Handlers.h"
#include "interp/ops/Lanes.h"

namespace trisect::interp {

void mapElements(Instance &s, const Instr &i) {
  s.pc = i.target;
  RegionRunner runner(s, i);
  int64_t pack = static_cast<int64_t>(i.attribute);
  int64_t elements = s.program.elements(s.operandSlot(i, 0)), lanes = elements / pack;
  std::vector<Value> args, results;
  for (unsigned n = 0; n < i.numOperands; ++n) {
    Value keep;
    const char *data = denseOperand(s, i, n, keep);
    unsigned size = byteSize(s.type(s.operandSlot(i, n)));
    for (int64_t j = 0; j < pack; ++j) {
      Value arg;
      arg.setDense(s.pool.acquire(lanes * size));
      int64_t step = pack * size;
      copyStrided(arg.data, data + j * size, &lanes, &step, 1, size);
      args.push_back(std::move(arg));
    }
  }
  if (runner.rider)
    runner.rider->takePacked(pack);
  runner.run(args, lanes, results);
  if (runner.rider)
    runner.rider->givePacked(pack);
  for (unsigned n = 0; n < i.numResults; ++n) {
    SlotId slot = s.resultSlot(i, n);
    unsigned size = byteSize(s.type(slot));
    Value out;
    out.setDense(s.pool.acquire(elements * size));
    for (int64_t j = 0; j < pack; ++j) {
      int64_t step = pack * size;
      scatterStrided(out.data + j * size, results[n * pack + j].data, &lanes, &step, 1, size);
    }
    s.slot(slot) = std::move(out);
  }
}

} // namespace trisect::interp
