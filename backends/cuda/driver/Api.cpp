//===- Api.cpp - finding and opening libcuda ------------------------------------------------------------===//
#include "backends/cuda/driver/Api.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

namespace trisect::cuda::driver {

namespace {
struct Opened {
  Api table;
  bool usable = false;
  std::string why;
};

std::vector<std::string> candidates() {
  if (std::string given = optionText(OptionId::LibcudaPath); !given.empty()) {
    std::error_code ignored;
    if (std::filesystem::is_directory(given, ignored))
      return {given + "/libcuda.so.1", given + "/libcuda.so"};
    return {given};
  }
  return {"libcuda.so.1", "libcuda.so"};
}

void *openLibrary(std::string &why) {
  for (const std::string &path : candidates()) {
    if (void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    why += (why.empty() ? "" : "; ") + std::string(dlerror());
  }
  if (std::string given = optionText(OptionId::LibcudaPath); !given.empty())
    std::fprintf(stderr, "trisect: TRITON_LIBCUDA_PATH='%s' gives no driver: %s\n", given.c_str(),
                 why.c_str());
  return nullptr;
}

Opened open() {
  Opened result;
  void *library = openLibrary(result.why);
  if (!library)
    return result;
  struct Row {
    void **slot;
    const char *symbol;
    bool optional = false;
  } const rows[] = {
#define TRISECT_CUDA(member, symbol, parameters) {reinterpret_cast<void **>(&result.table.member), symbol},
#define TRISECT_CUDA_OPTIONAL(member, symbol, parameters)                                                    \
  {reinterpret_cast<void **>(&result.table.member), symbol, true},
#include "backends/cuda/driver/Functions.def"
  };
  for (const Row &row : rows) {
    *row.slot = dlsym(library, row.symbol);
    if (!*row.slot && !row.optional) {
      result.why = "the driver is too old: it has no " + std::string(row.symbol);
      return result;
    }
  }
  if (Status status = result.table.init(0); status != Success) {
    const char *name = nullptr;
    result.table.errorName(status, &name);
    result.why = "cuInit: " + std::string(name ? name : std::to_string(status));
    return result;
  }
  result.usable = true;
  return result;
}

// Never closed: modules and streams may be in use while the process exits.
const Opened &opened() {
  static const auto *instance = new Opened(open());
  return *instance;
}

/// What an earlier kernel did to the device, or null for another kind of error.
const char *kernelsDoing(Status status, FaultKind &kind) {
  kind = FaultKind::OutOfBounds;
  switch (status) {
  case IllegalAddress:
    return "out-of-bounds: a kernel accessed an address where there is no memory of this device";
  case InvalidAddressSpace:
    return "out-of-bounds: a kernel accessed an address of another kind of memory";
  case LaunchFailed:
    return "out-of-bounds: a kernel ended by an access that the device does not allow";
  case MisalignedAddress:
    kind = FaultKind::Misaligned;
    return "misaligned: a kernel accessed an address that is no multiple of the access's size";
  case DeviceAssert:
    kind = FaultKind::Assert;
    return "assertion failed: a kernel trapped";
  case LaunchTimeout:
    kind = FaultKind::Deadlock;
    return "deadlock: a kernel ran longer than this machine lets one run";
  default:
    return nullptr;
  }
}
} // namespace

const Api *findApi(std::string *why) {
  const Opened &found = opened();
  if (why)
    *why = found.why;
  return found.usable ? &found.table : nullptr;
}

const Api &api() {
  const Opened &found = opened();
  if (found.usable)
    return found.table;
  throw Unsupported("cuda: no usable NVIDIA driver on this machine: " + found.why);
}

std::string describe(Status status) {
  const char *name = nullptr, *text = nullptr;
  api().errorName(status, &name);
  api().errorText(status, &text);
  if (!name)
    return "error " + std::to_string(static_cast<int>(status));
  return std::string(name) + (text ? std::string(": ") + text : "");
}

void fail(Status status, const char *call) {
  FaultKind kind;
  if (const char *what = kernelsDoing(status, kind)) {
    Fault fault;
    fault.kind = kind;
    fault.message = std::string(what) + "\n  reported by " + call + " (" + describe(status) +
                    "), after the launch that did it; the device takes no more work of this process"
                    "\n  TRISECT_TIER=interp or TRISECT_SANITIZE=on, in a new process, names the line and "
                    "the program";
    fault.details = {{"tier", "cuda"}, {"status", describe(status)}};
    throw KernelFault(std::move(fault));
  }
  if (status == OutOfMemory)
    throw Unsupported(std::string("cuda: the device has no memory left for ") + call);
  throw EngineError(std::string("cuda: ") + call + " failed: " + describe(status));
}

} // namespace trisect::cuda::driver
