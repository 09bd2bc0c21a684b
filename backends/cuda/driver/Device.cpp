//===- Device.cpp - facts and contexts of devices -------------------------------------------------------===//
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/driver/Api.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"
#include <atomic>
#include <deque>
#include <mutex>

namespace trisect::cuda::driver {

namespace {
struct Entry {
  std::once_flag read, retained; ///< used in fork sections, so that no child waits for a thread of its parent
  DeviceFacts facts;
  std::atomic<Context> context{nullptr};
};

int attribute(DeviceAttribute which, int device) {
  int value = 0;
  check(api().deviceAttribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

DeviceFacts factsFromDriver(int device) {
  using enum DeviceAttribute;
  DeviceFacts facts;
  char name[256] = "";
  check(api().deviceName(name, sizeof(name), device), "cuDeviceGetName");
  facts.name = name;
  facts.capability =
      10 * attribute(ComputeCapabilityMajor, device) + attribute(ComputeCapabilityMinor, device);
  facts.maxSharedBytes = attribute(MaxSharedMemoryPerBlockOptin, device);
  facts.maxRegisters = attribute(MaxRegistersPerBlock, device);
  facts.maxThreads = attribute(MaxThreadsPerBlock, device);
  facts.multiprocessors = attribute(MultiprocessorCount, device);
  facts.clockKilohertz = attribute(ClockRate, device);
  facts.memoryKilohertz = attribute(MemoryClockRate, device);
  facts.memoryBusBits = attribute(MemoryBusWidth, device);
  facts.l2Bytes = attribute(L2CacheSize, device);
  facts.warpSize = attribute(WarpSize, device);
  facts.threadsPerMultiprocessor = attribute(MaxThreadsPerMultiprocessor, device);
  facts.cooperative = attribute(CooperativeLaunch, device) != 0;
  return facts;
}

int countDevices() {
  int found = 0;
  const Api *table = findApi();
  return table && table->deviceCount(&found) == Success ? found : 0;
}

void readFacts(Entry &entry, int device) {
  std::call_once(entry.read, [&] { entry.facts = factsFromDriver(device); });
}

/// Facts are read at once: the driver answers no child of a process that has initialised it.
std::deque<Entry> &entries() {
  static auto *all = [] {
    auto *made = new std::deque<Entry>(static_cast<size_t>(countDevices()));
    for (size_t device = 0; device < made->size(); ++device)
      try {
        readFacts((*made)[device], static_cast<int>(device));
      } catch (const EngineError &) {
        continue; // facts() says why
      }
    return made;
  }();
  return *all;
}

Entry &entryOf(int device) {
  api(); // says why there is no device
  if (device < 0 || device >= deviceCount())
    throw InvalidInput("cuda: there is no device " + std::to_string(device) + "; this process sees " +
                       std::to_string(deviceCount()));
  return entries()[static_cast<size_t>(device)];
}

} // namespace

Context primaryContext(int device) {
  Entry &entry = entryOf(device);
  if (Context context = entry.context.load(std::memory_order_acquire))
    return context;
  ForkSection whole;
  std::call_once(entry.retained, [&] {
    Context context = nullptr;
    check(api().retainPrimary(&context, device), "cuDevicePrimaryCtxRetain");
    entry.context.store(context, std::memory_order_release);
  });
  return entry.context.load(std::memory_order_acquire);
}

int deviceCount() { return static_cast<int>(entries().size()); }

const DeviceFacts &facts(int device) {
  Entry &entry = entryOf(device);
  ForkSection whole;
  readFacts(entry, device);
  return entry.facts;
}

int currentDevice() {
  int device = 0;
  Context context = nullptr;
  Status status = api().currentContext(&context);
  if (status == NotInitialized)
    return device; // of a child, which can launch on the host still: none is current there
  check(status, "cuCtxGetCurrent");
  if (context)
    check(api().currentDevice(&device), "cuCtxGetDevice");
  return device;
}

Current::Current(int device) : Current(api(), primaryContext(device)) {}

void Current::change(Context wanted) {
  check(driver.setCurrentContext(wanted), "cuCtxSetCurrent");
  changed = true;
}

} // namespace trisect::cuda::driver
