//===- Assembler.h - ptxas, found and run ---------------------------------------------------------------===//
//
// What: looks for ptxas (TRITON_PTXAS_PATH, PATH, the toolkit, folders that Python names), assembles PTX to a
// cubin and reads what it says of registers, spills and warnings.
// Why: as a program of its own it needs no GPU, runs beside others, and its version is part of the cache key;
// without it PTX is loaded as it is and the driver assembles it.
// Limits: one kernel a call; a run takes 10 to 200 ms.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_ASSEMBLER_H
#define TRISECT_BACKENDS_CUDA_DRIVER_ASSEMBLER_H

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::cuda::driver {

struct AssembleOptions {
  std::string architecture; ///< `sm_90a`
  bool fuse = true;         ///< may make multiply and add one operation
  bool lineInfo = true;
  bool optimise = true;
  std::string further; ///< options as on a command line
};

/// What `ptxas -v` says of one kernel.
struct AssemblyReport {
  int registers = 0;
  int spillStores = 0, spillLoads = 0; ///< bytes
  int stackBytes = 0, sharedBytes = 0;
  std::vector<std::string> warnings; ///< whole lines; the code, such as C7510, stands in them
};
AssemblyReport readAssemblerLog(std::string_view log);

struct Assembled {
  std::string cubin;
  std::string log;
  AssemblyReport report;
};

class Assembler {
public:
  /// The assembler that this process uses now; null if there is none. Throws InvalidInput if
  /// TRITON_PTXAS_PATH names no program.
  static std::shared_ptr<const Assembler> find();
  /// A folder that is searched last, such as one of an installed package.
  static void addFolder(const std::string &folder);

  explicit Assembler(std::string path);
  const std::string &path() const { return program; }
  /// What it says of itself, such as `13.0.88`.
  const std::string &version() const { return number; }
  /// Throws AssemblerError with log and command if it refuses.
  Assembled assemble(const std::string &ptx, const AssembleOptions &options) const;

private:
  std::string program, number;
};

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_ASSEMBLER_H
