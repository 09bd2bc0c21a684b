//===- InlineAssembly.h - what inline PTX does in the emulator ------------------------------------------===//
//
// What: a text that runs over words of the host, and who reads such texts. Why: PTX itself is the machine's,
// not the tier's; who emulates brings its meaning along.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_INLINEASSEMBLY_H
#define TRISECT_BACKENDS_CUDA_EMULATE_INLINEASSEMBLY_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace trisect::cuda {

class InlineAssembly {
public:
  virtual ~InlineAssembly() = default;
  /// One thread's run: a word for each register that the constraints name, in their order.
  virtual void run(const uint64_t *inputs, uint64_t *outputs) const noexcept = 0;
};

/// Reads a text; null with `problem` set if it is outside what is known.
using AssemblyReader = std::unique_ptr<InlineAssembly> (*)(std::string_view text,
                                                           std::string_view constraints,
                                                           std::string &problem);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_INLINEASSEMBLY_H
