//===- EchoTarget.cpp - a target for tests --------------------------------------------------------------===//
#include "tests/unit/jit/EchoTarget.h"
#include "backends/Targets.h"
#include "core/ir/Parse.h"
#include "core/support/Outcome.h"
#include "jit/kernel/Kernel.h"
#include "jit/reference/InterpExecutable.h"
#include "mlir/IR/BuiltinOps.h"

namespace trisect::jit {

uint64_t EchoMemory::allocateCopy(const void *from, size_t bytes) {
  std::lock_guard guard(lock);
  uint64_t address = std::exchange(next, next + (bytes + 511) / 256 * 256); // a gap behind each
  const auto *begin = static_cast<const uint8_t *>(from);
  blocks[address].assign(begin, begin + bytes);
  return address;
}

std::optional<Allocation> EchoMemory::allocationAt(uint64_t address) {
  std::lock_guard guard(lock);
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin() || address - std::prev(after)->first >= std::prev(after)->second.size())
    return std::nullopt;
  return Allocation{std::prev(after)->first, std::prev(after)->second.size()};
}

uint8_t *EchoMemory::at(uint64_t address, size_t bytes) {
  auto block = allocationAt(address);
  std::lock_guard guard(lock);
  if (!block || address - block->address + bytes > block->bytes)
    throw InvalidInput("echo: no memory there");
  return blocks[block->address].data() + (address - block->address);
}

namespace {
class EchoExecutable final : public Executable {
public:
  EchoExecutable(const Artifact &artifact, MemorySpace &memory)
      : tier0(InterpExecutable::decode(*Kernel::create(artifact.code, artifact.kernel))), memory(memory) {}
  NumericProfile numerics() const override { return NumericProfile::Cpu; }
  void launch(const LaunchRequest &request) override {
    ++echoFlaws().launches;
    tier0->launch(request);
    if (echoFlaws().after)
      echoFlaws().after(memory, request);
  }

private:
  std::unique_ptr<InterpExecutable> tier0;
  MemorySpace &memory;
};

struct EchoDevice final : Device {
  explicit EchoDevice(MemorySpace &space) : space(space) {}
  std::string_view name() const override { return space.isHost() ? "host" : "echo"; }
  MemorySpace &memory() override { return space; }
  std::unique_ptr<Executable> load(std::shared_ptr<const Artifact> artifact) override {
    if (artifact->target != "echo")
      throw InvalidInput("echo: not made for this device");
    return std::make_unique<EchoExecutable>(*artifact, space);
  }
  MemorySpace &space;
};

struct EchoTarget final : Target {
  std::string_view name() const override { return "echo"; }
  NumericProfile numerics() const override { return NumericProfile::Cpu; }
  std::string isa(const TargetOptions &) const override { return "ttir"; }
  Artifact compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &options,
                   Form) override {
    ++echoFlaws().compiles;
    echoFlaws().inCompile();
    Artifact artifact = artifactOf(kernel, options);
    artifact.code = tt::printBytecode(module);
    return artifact;
  }
  Device *device(DeviceId where) override {
    return where == echoDevice ? &own : where.kind == DeviceKind::Host ? &host : nullptr;
  }
  EchoDevice own{echoMemory()}, host{hostMemory()};
};
} // namespace

EchoMemory &echoMemory() {
  static auto *memory = new EchoMemory;
  return *memory;
}

EchoFlaws &echoFlaws() {
  static auto *flaws = [] {
    registerTargets(); // cpu goes before echo
    addMemory(DeviceKind::Extension, [](int32_t) -> MemorySpace * { return &echoMemory(); });
    TargetRegistry::add("echo", []() -> std::unique_ptr<Target> { return std::make_unique<EchoTarget>(); });
    return new EchoFlaws;
  }();
  return *flaws;
}

} // namespace trisect::jit
