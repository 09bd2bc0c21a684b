//===- Cuda.h - NVIDIA's driver and assembler for a caller without their headers ------------------------===//
//
// What: devices, memory, loading of code and ptxas, as backends/cuda/driver has them.
// Why: the Python extension sees the facade alone.
// Limits: works without a GPU as far as that makes sense: there are 0 devices then, and PTX is assembled.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_CUDA_H
#define TRISECT_PYTHON_BINDINGS_FACADE_CUDA_H

#include "core/support/Outcome.h"
#include "python/bindings/facade/Api.h"
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trisect::facade::cuda {

TRISECT_API int deviceCount();
/// Why there is none; empty if there is one.
TRISECT_API std::string whyNoDevice();
TRISECT_API std::string deviceName(int device);
/// What is asked of a device, under the names of get_device_properties().
TRISECT_API std::map<std::string, int> deviceProperties(int device);
/// The device that is current on this thread.
TRISECT_API int currentDevice();
TRISECT_API void synchronize(int device, uint64_t stream);
TRISECT_API bool isCapturing(int device, uint64_t stream);

TRISECT_API std::string read(int device, uint64_t stream, uint64_t address, int64_t bytes);
TRISECT_API void write(int device, uint64_t stream, uint64_t address, const std::string &bytes);
/// (base, bytes, device) of the allocation that an address lies in.
TRISECT_API std::optional<std::array<uint64_t, 3>> allocationOf(uint64_t address);

/// (path, version) of ptxas, if there is one.
TRISECT_API std::optional<std::array<std::string, 2>> assembler();
TRISECT_API void addAssemblerFolder(const std::string &folder);

struct Assembled {
  std::string cubin, log;
  int registers = 0, spillBytes = 0;
};
TRISECT_API Assembled assemble(const std::string &ptx, const std::string &architecture, bool fuse,
                               bool lineInfo, bool optimise, const std::string &further);

struct LoadedState;

/// Code on a device, for callers that launch it themselves.
class TRISECT_API Loaded {
public:
  static Loaded load(int device, const std::string &image, const std::string &kernel, int threads,
                     int sharedBytes, bool cooperative, bool dependent);
  uint64_t module() const;
  uint64_t function() const;
  int registers() const;
  int spills() const; ///< words of local memory of a thread
  int maxThreads() const;
  /// Parameters are given as bits, each in the low bytes of a word.
  void launch(std::array<unsigned, 3> grid, std::vector<uint64_t> parameters, uint64_t stream) const;

private:
  std::shared_ptr<LoadedState> state;
};

} // namespace trisect::facade::cuda

#endif // TRISECT_PYTHON_BINDINGS_FACADE_CUDA_H
