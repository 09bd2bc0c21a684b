//===- PtxReader.h - inline PTX as tier 0 runs it, for the emulator -------------------------------------===//
#ifndef TRISECT_JIT_TOOLS_PTXREADER_H
#define TRISECT_JIT_TOOLS_PTXREADER_H

#include "backends/cuda/emulate/InlineAssembly.h"

namespace trisect::tools {

/// An AssemblyReader of the emulator of the cuda tier.
std::unique_ptr<cuda::InlineAssembly> readPtx(std::string_view text, std::string_view constraints,
                                              std::string &problem);

} // namespace trisect::tools

#endif // TRISECT_JIT_TOOLS_PTXREADER_H
