//===- FakeCuda.cpp - a libcuda without a GPU -----------------------------------------------------------===//
//
// What: exports the functions of Functions.def under their symbols. Each is written down, keeps the rules
// that a real driver keeps (a context must be current, no unsafe call while a stream is captured), and can
// fail on order. Why: the driver library is tested on machines without a GPU.
//
//===----------------------------------------------------------------------------------------------------===//
#include "tests/unit/driver/FakeCuda.h"
#include "backends/cuda/driver/Types.h"
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <unistd.h>

using namespace trisect::cuda::driver;

namespace {
constexpr int devices = 3, sharedLimit = 200 << 10;

struct FakeFunction {
  int device, registers, local, shared, maxThreads, dynamicLimit = 48 << 10;
};

struct State {
  std::mutex lock;
  fakecuda::Log log;
  std::map<std::string, int> failures;
  std::map<Address, std::pair<size_t, int>> memory;
  bool capturing = false;
  std::vector<int> parameterSizes;
  std::function<void(const fakecuda::Launch &)> run;
  std::function<void()> inRetain = [] {};
  int registers = 32, local = 0, shared = 0, maxThreads = 1024;
  pid_t process = 0; ///< that has initialised the driver: a forked child has not
  std::deque<FakeFunction> functions;
};
State &state() {
  static State all;
  return all;
}

thread_local Context current = nullptr;
thread_local CaptureMode mode = CaptureMode::Global;
char contexts[devices];

Context contextOf(int device) { return reinterpret_cast<Context>(&contexts[device]); }
int deviceOf(Context context) { return static_cast<int>(reinterpret_cast<char *>(context) - contexts); }

/// Writes a call down; what it must answer at once.
Status enter(const char *symbol, bool needsContext, bool unsafe = false) {
  std::lock_guard guard(state().lock);
  state().log.calls.emplace_back(symbol);
  if (auto found = state().failures.find(symbol); found != state().failures.end()) {
    auto status = static_cast<Status>(found->second);
    state().failures.erase(found);
    return status;
  }
  if (needsContext && !current)
    return static_cast<Status>(201);
  if (unsafe && state().capturing && mode != CaptureMode::Relaxed)
    return static_cast<Status>(900);
  return Success;
}
} // namespace

#define ENTER(...)                                                                                           \
  if (Status status = enter(__func__, __VA_ARGS__); status != Success)                                       \
  return status

extern "C" {

void fakeTake(fakecuda::Log &log) {
  std::lock_guard guard(state().lock);
  log = std::move(state().log);
  state().log = {};
}
void fakeFail(const char *symbol, int status) {
  std::lock_guard guard(state().lock);
  state().failures[symbol] = status;
}
void fakeCapture(bool on) { state().capturing = on; }
void fakeKernel(std::vector<int> sizes, std::function<void(const fakecuda::Launch &)> run) {
  state().parameterSizes = std::move(sizes);
  state().run = std::move(run);
}
void fakeRetain(std::function<void()> run) { state().inRetain = std::move(run); }
void fakeUsage(int registers, int localBytes, int sharedBytes, int maxThreads) {
  state().registers = registers;
  state().local = localBytes;
  state().shared = sharedBytes;
  state().maxThreads = maxThreads;
}

Status cuInit(unsigned) {
  state().process = getpid();
  return enter("cuInit", false);
}
Status cuDriverGetVersion(int *version) {
  *version = 13000;
  return Success;
}
Status cuGetErrorName(Status status, const char **name) {
  *name = status == IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_FAKE";
  return Success;
}
Status cuGetErrorString(Status, const char **text) {
  *text = "as ordered";
  return Success;
}
Status cuDeviceGetCount(int *count) {
  if (state().process != getpid())
    return NotInitialized;
  *count = devices;
  return Success;
}
Status cuDeviceGetName(char *name, int size, int device) {
  if (state().process != getpid())
    return NotInitialized;
  std::strncpy(name, std::array{"Fake A", "Fake B", "Fake C"}.at(static_cast<size_t>(device)),
               static_cast<size_t>(size));
  return Success;
}
Status cuDeviceGetAttribute(int *value, DeviceAttribute which, int) {
  if (state().process != getpid())
    return NotInitialized;
  static const std::map<DeviceAttribute, int> values = {
      {DeviceAttribute::ComputeCapabilityMajor, 9},
      {DeviceAttribute::MaxThreadsPerBlock, 1024},
      {DeviceAttribute::MaxSharedMemoryPerBlockOptin, sharedLimit},
      {DeviceAttribute::WarpSize, 32},
      {DeviceAttribute::MultiprocessorCount, 132},
      {DeviceAttribute::CooperativeLaunch, 1},
      {DeviceAttribute::MaxRegistersPerBlock, 65536}};
  auto found = values.find(which);
  *value = found == values.end() ? 0 : found->second;
  return Success;
}
Status cuDevicePrimaryCtxRetain(Context *context, int device) {
  ENTER(false);
  state().inRetain();
  *context = contextOf(device);
  return Success;
}
Status cuCtxGetCurrent(Context *context) {
  if (state().process != getpid())
    return NotInitialized;
  *context = current;
  return Success;
}
Status cuCtxSetCurrent(Context context) {
  ENTER(false);
  current = context;
  return Success;
}
Status cuCtxGetDevice(int *device) {
  ENTER(true);
  *device = deviceOf(current);
  return Success;
}
Status cuModuleLoadDataEx(Module *module, const void *image, unsigned count, JitOption *options,
                          void **values) {
  ENTER(true, true);
  if (std::strcmp(static_cast<const char *>(image), "bad ptx") == 0) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == JitOption::ErrorLog)
        std::strcpy(static_cast<char *>(values[i]), "line 1: what is this?");
    return InvalidPtx;
  }
  *module = reinterpret_cast<Module>(new int(deviceOf(current)));
  return Success;
}
Status cuModuleUnload(Module module) {
  ENTER(true, true);
  delete reinterpret_cast<int *>(module);
  return Success;
}
Status cuModuleGetFunction(Function *function, Module module, const char *name) {
  ENTER(true);
  if (std::strcmp(name, "missing") == 0)
    return NotFound;
  std::lock_guard guard(state().lock);
  state().functions.push_back({*reinterpret_cast<int *>(module), state().registers, state().local,
                               state().shared, state().maxThreads});
  *function = reinterpret_cast<Function>(&state().functions.back());
  return Success;
}
Status cuFuncGetAttribute(int *value, FunctionAttribute which, Function function) {
  ENTER(true);
  auto *fake = reinterpret_cast<FakeFunction *>(function);
  switch (which) {
  case FunctionAttribute::Registers:
    *value = fake->registers;
    break;
  case FunctionAttribute::LocalBytes:
    *value = fake->local;
    break;
  case FunctionAttribute::SharedBytes:
    *value = fake->shared;
    break;
  case FunctionAttribute::MaxThreadsPerBlock:
    *value = fake->maxThreads;
    break;
  case FunctionAttribute::MaxDynamicSharedBytes:
    *value = fake->dynamicLimit;
    break;
  }
  return Success;
}
Status cuFuncSetAttribute(Function function, FunctionAttribute which, int value) {
  ENTER(true);
  if (which != FunctionAttribute::MaxDynamicSharedBytes || value > sharedLimit)
    return InvalidValue;
  reinterpret_cast<FakeFunction *>(function)->dynamicLimit = value;
  return Success;
}
/// Where a parameter of the sizes that were told lies; false if there is no such.
static bool placeOf(size_t index, size_t &offset, size_t &bytes) {
  const std::vector<int> &sizes = state().parameterSizes;
  if (index >= sizes.size())
    return false;
  offset = 0;
  for (size_t n = 0; n <= index; ++n) {
    size_t alignment = std::min<size_t>(8, static_cast<size_t>(sizes[n]));
    offset =
        (offset + alignment - 1) / alignment * alignment + (n < index ? static_cast<size_t>(sizes[n]) : 0);
  }
  bytes = static_cast<size_t>(sizes[index]);
  return true;
}
Status cuFuncGetParamInfo(Function, size_t index, size_t *offset, size_t *bytes) {
  if (placeOf(index, *offset, *bytes))
    return Success;
  std::lock_guard guard(state().lock);
  ++state().log.absentParameters;
  return InvalidValue;
}
Status cuLaunchKernelEx(const LaunchConfig *config, Function function, void **arguments, void **extra) {
  ENTER(false);
  // Any context will do but another one with its own default stream, as on a real driver.
  int device = reinterpret_cast<FakeFunction *>(function)->device;
  if (!config->stream && current && deviceOf(current) != device)
    return InvalidHandle;
  if (static_cast<int>(config->sharedBytes) > reinterpret_cast<FakeFunction *>(function)->dynamicLimit ||
      config->grid[1] > 65535)
    return InvalidValue;
  fakecuda::Launch launch;
  launch.device = device;
  std::memcpy(launch.grid, config->grid, sizeof(launch.grid));
  std::memcpy(launch.block, config->block, sizeof(launch.block));
  launch.shared = config->sharedBytes;
  launch.stream = config->stream;
  for (unsigned i = 0; i < config->attributeCount; ++i) {
    launch.cooperative |= config->attributes[i].id == LaunchAttribute::Cooperative;
    launch.dependent |= config->attributes[i].id == LaunchAttribute::ProgrammaticSerialization;
  }
  launch.packed = extra != nullptr;
  const char *buffer = extra ? static_cast<const char *>(extra[1]) : nullptr;
  std::memcpy(&launch.first, buffer ? buffer : arguments[0], 8);
  for (size_t i = 0, offset = 0, bytes = 0; placeOf(i, offset, bytes); ++i) {
    const char *value = buffer ? buffer + offset : static_cast<const char *>(arguments[i]);
    launch.parameters.emplace_back(value, value + bytes);
    if (buffer && offset + bytes > *static_cast<size_t *>(extra[3]))
      return InvalidValue;
  }
  if (state().run)
    state().run(launch);
  std::lock_guard guard(state().lock);
  state().log.launches.push_back(launch);
  return Success;
}
Status cuStreamCreate(Stream *stream, unsigned) {
  ENTER(true, true);
  *stream = reinterpret_cast<Stream>(new char);
  return Success;
}
Status cuStreamSynchronize(Stream) {
  ENTER(true, true);
  return Success;
}
Status cuStreamIsCapturing(Stream, int *status) {
  ENTER(true);
  *status = state().capturing;
  return Success;
}
Status cuThreadExchangeStreamCaptureMode(CaptureMode *exchanged) {
  std::swap(mode, *exchanged);
  return Success;
}
/// As devices do it.
static constexpr std::align_val_t aligned{256};
Status cuMemAlloc_v2(Address *address, size_t bytes) {
  ENTER(true, true);
  *address = reinterpret_cast<Address>(::operator new(bytes, aligned));
  std::lock_guard guard(state().lock);
  state().memory[*address] = {bytes, deviceOf(current)};
  return Success;
}
Status cuMemFree_v2(Address address) {
  ENTER(true, true);
  ::operator delete(reinterpret_cast<void *>(address), aligned);
  std::lock_guard guard(state().lock);
  state().memory.erase(address);
  return Success;
}
Status cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, Stream) {
  ENTER(true);
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return Success;
}
Status cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, Stream) {
  ENTER(true);
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return Success;
}

/// The allocation around an address; the caller holds the lock.
static auto around(Address address) {
  auto &memory = state().memory;
  auto next = memory.upper_bound(address);
  if (next == memory.begin())
    return memory.end();
  --next;
  return address < next->first + next->second.first ? next : memory.end();
}
Status cuMemGetAddressRange_v2(Address *base, size_t *bytes, Address address) {
  std::lock_guard guard(state().lock);
  auto found = around(address);
  if (found == state().memory.end())
    return NotFound;
  *base = found->first;
  *bytes = found->second.first;
  return Success;
}
Status cuPointerGetAttribute(void *value, PointerAttribute which, Address address) {
  if (!current)
    return static_cast<Status>(201);
  std::lock_guard guard(state().lock);
  auto found = around(address);
  if (found == state().memory.end())
    return InvalidValue;
  if (which == PointerAttribute::MemoryType)
    *static_cast<unsigned *>(value) = memoryOnDevice;
  else
    *static_cast<int *>(value) = found->second.second;
  return Success;
}
}
