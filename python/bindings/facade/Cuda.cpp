//===- Cuda.cpp - the driver library behind the facade --------------------------------------------------===//
#include "python/bindings/facade/Cuda.h"
#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Assembler.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/driver/Code.h"
#include "backends/cuda/driver/Device.h"
#include "backends/cuda/driver/Memory.h"

namespace trisect::facade::cuda {

namespace driver = trisect::cuda::driver;

static driver::Stream streamOf(uint64_t bits) { return reinterpret_cast<driver::Stream>(bits); }

int deviceCount() { return driver::deviceCount(); }

std::string whyNoDevice() {
  std::string why;
  if (!driver::findApi(&why))
    return why;
  return driver::deviceCount() ? "" : "the driver shows no device";
}

std::string deviceName(int device) { return driver::facts(device).name; }

std::map<std::string, int> deviceProperties(int device) {
  const driver::DeviceFacts &facts = driver::facts(device);
  return {{"max_shared_mem", facts.maxSharedBytes},
          {"max_num_regs", facts.maxRegisters},
          {"multiprocessor_count", facts.multiprocessors},
          {"warpSize", facts.warpSize},
          {"sm_clock_rate", facts.clockKilohertz},
          {"mem_clock_rate", facts.memoryKilohertz},
          {"mem_bus_width", facts.memoryBusBits},
          {"max_threads_per_sm", facts.threadsPerMultiprocessor},
          {"L2_cache_size", facts.l2Bytes},
          {"capability", facts.capability}};
}

int currentDevice() { return driver::currentDevice(); }
void synchronize(int device, uint64_t stream) { driver::synchronize(device, streamOf(stream)); }
bool isCapturing(int device, uint64_t stream) { return driver::isCapturing(device, streamOf(stream)); }

std::string read(int device, uint64_t stream, uint64_t address, int64_t bytes) {
  std::string into(static_cast<size_t>(bytes), '\0');
  driver::read(device, streamOf(stream), address, into.data(), bytes);
  return into;
}

void write(int device, uint64_t stream, uint64_t address, const std::string &bytes) {
  driver::write(device, streamOf(stream), address, bytes.data(), static_cast<int64_t>(bytes.size()));
}

std::optional<std::array<uint64_t, 3>> allocationOf(uint64_t address) {
  std::optional<driver::Allocation> found = driver::allocationOf(address);
  if (!found)
    return std::nullopt;
  return std::array<uint64_t, 3>{found->base, static_cast<uint64_t>(found->bytes),
                                 static_cast<uint64_t>(found->device)};
}

std::optional<std::array<std::string, 2>> assembler() {
  auto found = driver::Assembler::find();
  if (!found)
    return std::nullopt;
  return std::array<std::string, 2>{found->path(), found->version()};
}

void addAssemblerFolder(const std::string &folder) { driver::Assembler::addFolder(folder); }

Assembled assemble(const std::string &ptx, const std::string &architecture, bool fuse, bool lineInfo,
                   bool optimise, const std::string &further) {
  auto found = driver::Assembler::find();
  if (!found)
    throw Unsupported("cuda: there is no ptxas on this machine; set TRITON_PTXAS_PATH");
  driver::Assembled made = found->assemble(ptx, {architecture, fuse, lineInfo, optimise, further});
  return {std::move(made.cubin), std::move(made.log), made.report.registers,
          made.report.spillStores + made.report.spillLoads};
}

struct LoadedState {
  driver::Code code;
};

Loaded Loaded::load(int device, const std::string &image, const std::string &kernel, int threads,
                    int sharedBytes, bool cooperative, bool dependent) {
  driver::LaunchShape shape{threads, sharedBytes, cooperative, dependent};
  Loaded loaded;
  loaded.state.reset(new LoadedState{{device, image, kernel, shape}});
  return loaded;
}

uint64_t Loaded::module() const { return reinterpret_cast<uint64_t>(state->code.moduleHandle()); }
uint64_t Loaded::function() const { return reinterpret_cast<uint64_t>(state->code.handle()); }
int Loaded::registers() const { return state->code.usage().registers; }
int Loaded::spills() const { return state->code.usage().localBytes / 4; }
int Loaded::maxThreads() const { return state->code.usage().maxThreads; }

void Loaded::launch(std::array<unsigned, 3> grid, std::vector<uint64_t> parameters, uint64_t stream) const {
  std::vector<void *> pointers;
  for (uint64_t &parameter : parameters)
    pointers.push_back(&parameter);
  state->code.launch(grid, pointers.data(), streamOf(stream));
}

} // namespace trisect::facade::cuda
