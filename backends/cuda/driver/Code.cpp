//===- Code.cpp - loading and launching -----------------------------------------------------------------===//
#include "backends/cuda/driver/Code.h"
#include "backends/cuda/driver/Api.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/driver/Device.h"
#include "core/support/Outcome.h"
#include <exception>
#include <utility>
#include <vector>

namespace trisect::cuda::driver {

namespace {
/// Shared memory that every kernel may have; more is asked for by name.
constexpr int plainSharedBytes = 48 << 10;

int attribute(FunctionAttribute which, Function function) {
  int value = 0;
  check(api().functionAttribute(&value, which, function), "cuFuncGetAttribute");
  return value;
}
} // namespace

Code::Code(int device, std::string_view image, const std::string &kernel, const LaunchShape &shape)
    : driver(api()), place(device), context(primaryContext(device)), form(shape) {
  for (auto [set, id] : {std::pair(form.cooperative, LaunchAttribute::Cooperative),
                         std::pair(form.dependent, LaunchAttribute::ProgrammaticSerialization)})
    if (set) {
      attributes[attributeCount].id = id;
      attributes[attributeCount++].value.flag = 1;
    }
  if (int limit = facts(device).maxSharedBytes; shape.sharedBytes > limit)
    throw OutOfResources(shape.sharedBytes, limit, "shared memory");
  Current current(device);
  OutsideCapture outside;
  load(image, kernel);
  try {
    prepare(kernel);
  } catch (...) {
    api().unloadModule(module);
    throw;
  }
}

void Code::load(std::string_view image, const std::string &kernel) {
  // PTX is read up to a zero byte.
  std::string text(image);
  std::vector<char> log(16 << 10, '\0');
  JitOption options[] = {JitOption::ErrorLog, JitOption::ErrorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  Status status = api().loadModule(&module, text.c_str(), 2, options, values);
  if (status == InvalidPtx || status == UnsupportedPtxVersion)
    throw AssemblerError("the driver refuses the PTX of kernel " + kernel + ": " + describe(status) + "\n" +
                         log.data());
  if (status == NoBinaryForGpu || status == InvalidImage)
    throw EngineError("cuda: the code of kernel " + kernel + " is not for device " + std::to_string(place) +
                      " (" + facts(place).name + "): " + describe(status) + "\n" + log.data());
  check(status, "cuModuleLoadDataEx");
}

void Code::prepare(const std::string &kernel) {
  Status status = api().getFunction(&function, module, kernel.c_str());
  if (status == NotFound)
    throw EngineError("cuda: the code has no kernel " + kernel);
  check(status, "cuModuleGetFunction");
  used = {attribute(FunctionAttribute::Registers, function),
          attribute(FunctionAttribute::LocalBytes, function),
          attribute(FunctionAttribute::SharedBytes, function),
          attribute(FunctionAttribute::MaxThreadsPerBlock, function)};
  if (int limit = facts(place).maxSharedBytes; used.sharedBytes + form.sharedBytes > limit)
    throw OutOfResources(used.sharedBytes + form.sharedBytes, limit, "shared memory");
  if (form.threads > used.maxThreads)
    throw OutOfResources(form.threads, used.maxThreads, "threads");
  if (used.sharedBytes + form.sharedBytes > plainSharedBytes)
    check(api().setFunctionAttribute(function, FunctionAttribute::MaxDynamicSharedBytes, form.sharedBytes),
          "cuFuncSetAttribute");
}

Code::~Code() {
  // While the process ends the driver may be gone; it then answers so, and takes its modules with it.
  Context before = nullptr;
  if (api().currentContext(&before) != Success)
    return;
  try {
    Current current(place);
    OutsideCapture outside;
    api().unloadModule(module);
  } catch (const std::exception &) {
    return;
  }
}

std::vector<ParameterPlace> Code::parameters(size_t count) const {
  if (!driver.parameterInfo)
    return {};
  std::vector<ParameterPlace> all(count);
  for (size_t index = 0; index < count; ++index)
    if (driver.parameterInfo(function, index, &all[index].offset, &all[index].bytes) != Success)
      return {};
  return all;
}

Status Code::enqueueInContext(const LaunchConfig &config, void **arguments, void **extra) const {
  Current current(driver, context);
  Status status = driver.launch(&config, function, arguments, extra);
  if (status == Success && ask.load(std::memory_order_relaxed) != Ask::Yes)
    ask.store(current.wasOther() ? Ask::Yes : Ask::No, std::memory_order_relaxed);
  return status;
}

// A function belongs to a context, as all streams do but the default ones, which are of the context that is
// current: where that is another one, the driver refuses the launch, and where there is none, an older one
// does. To look first takes time, and to be refused is an error that tools like compute-sanitizer report: the
// first launch looks.
void Code::enqueue(const std::array<unsigned, 3> &grid, void **arguments, void **extra, Stream stream) const {
  LaunchConfig config{{grid[0], grid[1], grid[2]},
                      {static_cast<unsigned>(form.threads), 1, 1},
                      static_cast<unsigned>(form.sharedBytes),
                      stream,
                      attributes.data(),
                      attributeCount};
  bool looks = ask.load(std::memory_order_relaxed) != Ask::No;
  Status status =
      looks ? enqueueInContext(config, arguments, extra) : driver.launch(&config, function, arguments, extra);
  if (!looks && (status == InvalidContext || status == InvalidHandle))
    status = enqueueInContext(config, arguments, extra);
  if (status != Success)
    refuse(status, grid);
}

void Code::refuse(Status status, const std::array<unsigned, 3> &grid) const {
  if (status == CooperativeLaunchTooLarge)
    throw OutOfResources(int64_t(grid[0]) * grid[1] * grid[2], facts(place).multiprocessors,
                         "blocks of a cooperative launch");
  if (status == LaunchOutOfResources)
    throw OutOfResources(int64_t(used.registers) * form.threads, facts(place).maxRegisters, "registers");
  if (status == InvalidValue && (grid[1] > 65535 || grid[2] > 65535))
    throw InvalidInput("cuda: a grid has at most 65535 blocks in its second and third dimension, not (" +
                       std::to_string(grid[0]) + ", " + std::to_string(grid[1]) + ", " +
                       std::to_string(grid[2]) + ")");
  fail(status, "cuLaunchKernelEx");
}

} // namespace trisect::cuda::driver
