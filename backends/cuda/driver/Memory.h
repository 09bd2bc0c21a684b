//===- Memory.h - memory of devices, seen from the host -------------------------------------------------===//
//
// What: reads and writes device memory after the work of a stream, and tells what an address belongs to.
// Why: checks and the interpreter run on the host; they take CUDA tensors through this.
// Limits: copies wait until they are done. None of this may be used while the stream is captured.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_DRIVER_MEMORY_H
#define TRISECT_BACKENDS_CUDA_DRIVER_MEMORY_H

#include "backends/cuda/driver/Types.h"
#include <cstdint>
#include <optional>

namespace trisect::cuda::driver {

/// Copies to the host, in stream order, and waits.
void read(int device, Stream stream, Address from, void *into, int64_t bytes);
/// Copies to the device, in stream order, and waits.
void write(int device, Stream stream, Address to, const void *from, int64_t bytes);
void synchronize(int device, Stream stream);

/// An allocation that an address lies in.
struct Allocation {
  Address base = 0;
  int64_t bytes = 0;
  int device = 0;
};
/// Nothing for an address that no device memory holds; never fails.
std::optional<Allocation> allocationOf(Address address);

Address allocate(int device, int64_t bytes);
/// Never fails: the driver may have gone before, and its memory with it.
void release(int device, Address address) noexcept;

/// Device memory of our own.
class Buffer {
public:
  Buffer(int device, int64_t bytes);
  ~Buffer();
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  Address address() const { return at; }
  int64_t bytes() const { return size; }

private:
  int device;
  int64_t size;
  Address at;
};

} // namespace trisect::cuda::driver

#endif // TRISECT_BACKENDS_CUDA_DRIVER_MEMORY_H
