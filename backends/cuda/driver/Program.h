//===- Program.h - another program, run to its end ------------------------------------------------------===//
//
// What: runs a command and collects what it prints; files and a folder that live for one use.
// Limits: no shell, no input; both output streams come as one text.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_PROGRAM_H
#define TRISECT_BACKENDS_CUDA_DRIVER_PROGRAM_H

#include <string>
#include <vector>

namespace trisect::cuda::driver {

struct ProgramRun {
  int status = 0; ///< as a shell says it: 128 + the signal that ended it
  std::string output;
};
/// Throws EngineError if the program cannot be started.
ProgramRun runProgram(const std::vector<std::string> &command);

/// A new folder under the machine's one for such, removed with what is in it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  std::string file(const std::string &name) const { return path + "/" + name; }

private:
  std::string path;
};

void writeFile(const std::string &path, const std::string &bytes);
std::string readFile(const std::string &path);

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_PROGRAM_H
