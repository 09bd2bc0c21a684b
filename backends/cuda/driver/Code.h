//===- Code.h - code loaded on a device -----------------------------------------------------------------===//
//
// What: a kernel loaded from a cubin or from PTX (which the driver then assembles), what it uses, and its
// launch on a stream.
// Why: one place knows about opt-in shared memory, launch attributes and captured streams.
// Limits: one object serves one device; launches may come from many threads at once. While a stream of this
// thread is captured, loading still works: it enqueues nothing.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_CODE_H
#define TRISECT_BACKENDS_CUDA_DRIVER_CODE_H

#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Types.h"
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::cuda::driver {

/// How a kernel is launched, apart from grid and arguments.
struct LaunchShape {
  int threads = 128;        ///< of a block
  int sharedBytes = 0;      ///< dynamic
  bool cooperative = false; ///< all blocks are resident at once
  bool dependent = false;   ///< may begin before the launch ahead of it has ended (PDL)
};

/// Where a parameter of a kernel lies among all.
struct ParameterPlace {
  size_t offset = 0, bytes = 0;
};

struct Usage {
  int registers = 0;   ///< of a thread
  int localBytes = 0;  ///< of a thread: spilled values and arrays
  int sharedBytes = 0; ///< static
  int maxThreads = 0;
};

class Code {
public:
  /// Throws OutOfResources if the device cannot run a block of this shape, EngineError with the driver's log
  /// for an image that it refuses.
  Code(int device, std::string_view image, const std::string &kernel, const LaunchShape &shape);
  ~Code();
  Code(const Code &) = delete;
  Code &operator=(const Code &) = delete;

  int device() const { return place; }
  const Usage &usage() const { return used; }
  const LaunchShape &shape() const { return form; }
  Function handle() const { return function; }
  Module moduleHandle() const { return module; }

  /// Of the first `count` parameters, in order; nothing where the driver does not say. To ask for one that is
  /// not there is an error, which tools like compute-sanitizer report.
  std::vector<ParameterPlace> parameters(size_t count) const;

  /// Enqueues a grid. `arguments` holds a pointer to each parameter's value, in the size of its type.
  void launch(const std::array<unsigned, 3> &grid, void **arguments, Stream stream) const {
    enqueue(grid, arguments, nullptr, stream);
  }
  /// The same with the parameters at their places in one piece, which the driver takes sooner than one by
  /// one.
  void launch(const std::array<unsigned, 3> &grid, std::span<std::byte> buffer, Stream stream) const {
    size_t bytes = buffer.size();
    void *words[] = {bufferFollows, buffer.data(), bytesFollow, &bytes, nullptr};
    enqueue(grid, nullptr, words, stream);
  }

private:
  void enqueue(const std::array<unsigned, 3> &grid, void **arguments, void **extra, Stream stream) const;
  Status enqueueInContext(const LaunchConfig &config, void **arguments, void **extra) const;
  void load(std::string_view image, const std::string &kernel);
  void prepare(const std::string &kernel);

  [[noreturn]] void refuse(Status status, const std::array<unsigned, 3> &grid) const;

  enum class Ask : uint8_t { Once, No, Yes };

  const Api &driver;
  /// Whether launches look which context is current: the first, and all once it was another one.
  mutable std::atomic<Ask> ask{Ask::Once};
  int place;
  Context context;
  LaunchShape form;
  std::array<LaunchAttribute, 2> attributes;
  unsigned attributeCount = 0;
  Module module = nullptr;
  Function function = nullptr;
  Usage used;
};

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_CODE_H
