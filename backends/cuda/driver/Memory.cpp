//===- Memory.cpp - copies and questions about addresses ------------------------------------------------===//
#include "backends/cuda/driver/Memory.h"
#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/driver/Device.h"
#include <exception>

namespace trisect::cuda::driver {

void read(int device, Stream stream, Address from, void *into, int64_t bytes) {
  Current current(device);
  check(api().copyToHost(into, from, static_cast<size_t>(bytes), stream), "cuMemcpyDtoHAsync");
  check(api().synchronizeStream(stream), "cuStreamSynchronize");
}

void write(int device, Stream stream, Address to, const void *from, int64_t bytes) {
  Current current(device);
  check(api().copyToDevice(to, from, static_cast<size_t>(bytes), stream), "cuMemcpyHtoDAsync");
  check(api().synchronizeStream(stream), "cuStreamSynchronize");
}

void synchronize(int device, Stream stream) {
  Current current(device);
  check(api().synchronizeStream(stream), "cuStreamSynchronize");
}

std::optional<Allocation> allocationOf(Address address) {
  const Api *table = findApi();
  if (!table || deviceCount() == 0)
    return std::nullopt;
  // Questions about addresses need some context; which one does not matter to unified addresses.
  Current current(currentDevice());
  unsigned type = 0;
  int device = 0;
  if (table->pointerAttribute(&type, PointerAttribute::MemoryType, address) != Success ||
      type != memoryOnDevice ||
      table->pointerAttribute(&device, PointerAttribute::DeviceOrdinal, address) != Success)
    return std::nullopt;
  Allocation found;
  size_t bytes = 0;
  if (table->addressRange(&found.base, &bytes, address) != Success)
    return std::nullopt;
  found.bytes = static_cast<int64_t>(bytes);
  found.device = device;
  return found;
}

Address allocate(int device, int64_t bytes) {
  Current current(device);
  OutsideCapture outside;
  Address address = 0;
  check(api().allocate(&address, static_cast<size_t>(bytes)), "cuMemAlloc");
  return address;
}

void release(int device, Address address) noexcept {
  try {
    Current current(device);
    OutsideCapture outside;
    api().release(address);
  } catch (const std::exception &) {
    return;
  }
}

Buffer::Buffer(int device, int64_t bytes) : device(device), size(bytes), at(allocate(device, bytes)) {}

Buffer::~Buffer() { release(device, at); }

} // namespace trisect::cuda::driver
