//===- PtxReader.cpp - inline PTX as tier 0 runs it, for the emulator -----------------------------------===//
#include "jit/tools/PtxReader.h"
#include "core/ptx/AsmAccess.h"
#include "interp/program/AsmMachine.h"
#include <cstring>

namespace trisect::tools {

namespace {
class Ptx final : public cuda::InlineAssembly {
public:
  explicit Ptx(AsmParts parts) : parts(std::move(parts)) {}

  void run(const uint64_t *inputs, uint64_t *outputs) const noexcept override {
    const AsmProgram &values = *parts.values;
    interp::AsmMachine machine(values);
    size_t given = values.inputRegisters.size() - parts.loads.size();
    size_t made = values.outputRegisters.size() - parts.stores.size();
    for (size_t n = 0; n < given; ++n)
      machine.set(values.inputRegisters[n], inputs[n]);
    for (size_t n = 0; n < parts.loads.size(); ++n) {
      uint64_t word = 0;
      std::memcpy(&word, memory(inputs, parts.loads[n]), parts.loads[n].bytes);
      machine.set(values.inputRegisters[given + n], word);
    }
    machine.run();
    for (size_t n = 0; n < made; ++n)
      outputs[n] = machine.get(values.outputRegisters[n]);
    for (size_t n = 0; n < parts.stores.size(); ++n) {
      uint64_t word = machine.get(values.outputRegisters[made + n]);
      std::memcpy(memory(inputs, parts.stores[n]), &word, parts.stores[n].bytes);
    }
  }

private:
  static void *memory(const uint64_t *inputs, const AsmAccess &access) {
    return reinterpret_cast<void *>(inputs[access.pointer]);
  }

  AsmParts parts;
};
} // namespace

std::unique_ptr<cuda::InlineAssembly> readPtx(std::string_view text, std::string_view constraints,
                                              std::string &problem) {
  AsmParts parts;
  if (auto parsed = parseAsm(text, constraints, problem))
    parts = splitAccesses(*parsed, problem);
  if (problem.empty())
    problem = interp::unknownInstruction(*parts.values);
  return problem.empty() ? std::make_unique<Ptx>(std::move(parts)) : nullptr;
}

} // namespace trisect::tools
