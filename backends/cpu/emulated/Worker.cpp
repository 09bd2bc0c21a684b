//===- Worker.cpp - launches of kernels in an emulator --------------------------------------------------===//
//
// What: a program of the processor that kernels were compiled for. It maps the memory that it shares with the
// process that started it, tells where, and runs launches until its socket ends. Why: what calls a kernel and
// what it calls are then those of that processor too: launcher, hooks, runtime, C library. Limits: kernels
// come as shared libraries, which stay loaded.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/emulated/Messages.h"
#include "backends/cpu/launch/CpuDevice.h"
#include "backends/cpu/launch/CpuExecutable.h"
#include "core/support/Tool.h"
#include <dlfcn.h>
#include <exception>
#include <map>
#include <sys/mman.h>
#include <sys/stat.h>

using namespace trisect;
using namespace trisect::cpu;

namespace {
class Library final : public LoadedObject {
public:
  explicit Library(void *entry) : entry(entry) {}
  void *address() const override { return entry; }

private:
  void *entry;
};

class Worker {
public:
  void run(const LaunchOrder &order) {
    LaunchRequest request{order.grid, order.arguments, {}};
    request.part = order.programs;
    request.threads = order.threads;
    request.atomics = order.atomics;
    kernelOf(order).launch(request);
  }

private:
  CpuExecutable &kernelOf(const LaunchOrder &order) {
    std::unique_ptr<CpuExecutable> &kernel = kernels[order.library];
    if (kernel)
      return *kernel;
    auto artifact = std::make_shared<const Artifact>(deserialize(order.artifact));
    if (artifact->abi != entryAbi)
      throw InvalidInput("kernel " + artifact->kernel + " was compiled by another build than this worker");
    void *library = dlopen(order.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void *entry = library ? dlsym(library, artifact->symbol.c_str()) : nullptr;
    if (!entry)
      throw EngineError(std::string("cannot load the kernel: ") + dlerror());
    kernel = std::make_unique<CpuExecutable>(std::move(artifact), std::make_unique<Library>(entry));
    return *kernel;
  }

  std::map<std::string, std::unique_ptr<CpuExecutable>> kernels; ///< by library
};

LaunchAnswer answerTo(Worker &worker, const std::string &message) {
  LaunchAnswer answer;
  auto failed = [&](LaunchAnswer::Kind kind, const std::exception &error) {
    answer.kind = kind;
    answer.message = error.what();
  };
  try {
    worker.run(unpackOrder(message));
  } catch (const KernelFault &fault) {
    failed(LaunchAnswer::Kind::Fault, fault);
    answer.fault = fault.fault().kind;
    answer.position = fault.position();
  } catch (const Unsupported &reason) {
    failed(LaunchAnswer::Kind::Unsupported, reason);
    answer.position = reason.position();
  } catch (const std::exception &error) {
    failed(LaunchAnswer::Kind::Error, error);
  }
  return answer;
}

int serve() {
  struct stat file = {};
  if (fstat(workerMemory, &file) != 0)
    throw InvalidInput("this program is started by trisect-check --emulator");
  void *memory = mmap(nullptr, static_cast<size_t>(file.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, workerMemory, 0);
  if (memory == MAP_FAILED)
    throw EngineError("cannot map the memory that is shared");
  LaunchAnswer hello;
  hello.memory = reinterpret_cast<uint64_t>(memory);
  bool open = sendMessage(workerSocket, pack(hello));
  Worker worker;
  while (open) {
    std::optional<std::string> message = receiveMessage(workerSocket, -1);
    open = message && sendMessage(workerSocket, pack(answerTo(worker, *message)));
    std::fflush(stdout);
  }
  return 0;
}
} // namespace

int main() { return guardTool({"trisect-cpu-worker", ""}, serve); }
