//===- CompileCorpus.h - a corpus through the code generator and the assembler --------------------------===//
//
// What: compiles every module for some GPUs and assembles the PTX; tells what was refused and why, what
// failed, and what each kernel takes of the machine. Why: without a GPU this is what can be known of modules
// that others wrote. Limits: nothing runs; modules of other options than the usual four warps count as those.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_TOOLS_COMPILECORPUS_H
#define TRISECT_BACKENDS_CUDA_TOOLS_COMPILECORPUS_H

#include "backends/cuda/driver/Assembler.h"
#include "core/tools/corpus/Archive.h"
#include <functional>
#include <vector>

namespace trisect::cuda {

enum class Fate : uint8_t {
  Assembled,
  Refused, ///< named as unsupported
  Invalid, ///< no module, or none with one kernel
  Failed,  ///< ours is the mistake: the compiler or the assembler ended with an error
};

/// One module for one GPU.
struct CorpusRow {
  std::string module;
  std::string architecture; ///< `sm_90a`
  Fate fate = Fate::Assembled;
  std::string reason; ///< of another fate; without the position
  driver::AssemblyReport report;
  int wideAccesses = 0; ///< loads and stores of four words in the text
};

/// Compiles with `jobs` threads. `progress` is called with how many modules are done, by one thread at a
/// time. Equal tile IR is compiled once.
std::vector<CorpusRow> compileCorpus(const std::vector<corpus::ModuleText> &modules,
                                     const std::vector<unsigned> &capabilities, unsigned jobs,
                                     const std::function<void(size_t)> &progress);

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_TOOLS_COMPILECORPUS_H
