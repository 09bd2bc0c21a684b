//===- AsmOps.cpp - inline assembly on values -----------------------------------------------------------===//
//
// What: runs the parsed PTX of AsmText.h for each group of packed elements over 64-bit registers.
// Limits: the instructions of `execute`; AsmCheck refuses everything else when the kernel is decoded.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/AsmBlock.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Handlers.h"
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
    unsigned reg = program.outputs;
    for (unsigned n = 0; n < i.numOperands; ++n) {
      unsigned size = byteSize(s.type(s.operandSlot(i, n)));
      int64_t bytes = std::min(pack, elements - group) * size;
      const char *from = inputs[n] + group * size;
      while (bytes > 0 && reg < program.outputs + program.inputs) {
        int64_t width = program.inputBytes[reg - program.outputs], part = std::min(bytes, width);
        uint64_t bits = 0;
        std::memcpy(&bits, from, part);
        machine.set(reg++, bits);
        from += part;
        bytes -= part;
      }
    }
    machine.run();
    reg = 0;
    for (unsigned n = 0; n < i.numResults; ++n) {
      unsigned size = byteSize(s.type(s.resultSlot(i, n)));
      int64_t bytes = std::min(pack, elements - group) * size;
      char *into = outputs[n] + group * size;
      while (bytes > 0 && reg < program.outputs) {
        int64_t width = program.outputBytes[reg], part = std::min(bytes, width);
        uint64_t bits = machine.get(reg++);
        std::memcpy(into, &bits, part);
        into += part;
        bytes -= part;
      }
    }
  }
}

void inlineAsm(Instance &s, const Instr &i) {
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
