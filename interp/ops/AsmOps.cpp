//===- AsmOps.cpp - inline assembly on values -----------------------------------------------------------===//
//
// What: runs the parsed PTX of AsmText.h for each group of packed elements over 64-bit registers.
// Limits: instructions on values; the decoder took loads and stores out and refused what it does not know.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/ops/AsmBlock.h"
#include "interp/ops/Handlers.h"
#include "interp/program/AsmMachine.h"

namespace trisect::interp {

void runAsm(const Instance &s, const Instr &i, const std::vector<const char *> &inputs,
            const std::vector<char *> &outputs) {
  const auto &program = *static_cast<const AsmProgram *>(s.program.extra(i).owner.get());
  int64_t pack = static_cast<int64_t>(i.attribute);
  int64_t elements = s.elements(i, s.resultSlot(i));
  AsmMachine machine(program);
  for (int64_t group = 0; group < elements; group += pack) {
    // Packed elements of an operand fill registers from their low bytes on.
    size_t input = 0, output = 0;
    for (unsigned n = 0; n < i.numOperands; ++n) {
      unsigned size = byteSize(s.type(s.operandSlot(i, n)));
      int64_t bytes = std::min(pack, elements - group) * size;
      const char *from = inputs[n] + group * size;
      while (bytes > 0 && input < program.inputBytes.size()) {
        int64_t width = program.inputBytes[input], part = std::min(bytes, width);
        uint64_t bits = 0;
        std::memcpy(&bits, from, part);
        machine.set(program.inputRegisters[input++], bits);
        from += part;
        bytes -= part;
      }
    }
    machine.run();
    for (unsigned n = 0; n < i.numResults; ++n) {
      unsigned size = byteSize(s.type(s.resultSlot(i, n)));
      int64_t bytes = std::min(pack, elements - group) * size;
      char *into = outputs[n] + group * size;
      while (bytes > 0 && output < program.outputBytes.size()) {
        int64_t width = program.outputBytes[output], part = std::min(bytes, width);
        uint64_t bits = machine.get(program.outputRegisters[output++]);
        std::memcpy(into, &bits, part);
        into += part;
        bytes -= part;
      }
    }
  }
}

void inlineAsm(Instance &s, const Instr &i) {
  if (static_cast<const AsmProgram *>(s.program.extra(i).owner.get())->readsClock)
    s.sawClock();
  int64_t elements = s.elements(i, s.resultSlot(i));
  std::vector<Value> keep(i.numOperands), out(i.numResults);
  std::vector<const char *> inputs(i.numOperands);
  std::vector<char *> outputs(i.numResults);
  for (unsigned n = 0; n < i.numOperands; ++n)
    inputs[n] = denseOperand(s, i, n, keep[n]);
  for (unsigned n = 0; n < i.numResults; ++n) {
    out[n].setDense(s.pool.acquire(elements * byteSize(s.type(s.resultSlot(i, n)))));
    outputs[n] = out[n].data;
  }
  runAsm(s, i, inputs, outputs);
  for (unsigned n = 0; n < i.numResults; ++n) {
    if (s.shape(s.resultSlot(i, n)).rank() == 0 && elements == 1) {
      uint64_t bits = 0;
      std::memcpy(&bits, out[n].data, byteSize(s.type(s.resultSlot(i, n))));
      out[n].setSplat(bits);
    }
    s.result(i, n) = std::move(out[n]);
  }
}

} // namespace trisect::interp
