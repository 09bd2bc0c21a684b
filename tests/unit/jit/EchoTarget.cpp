//===- EchoTarget.cpp - a target for tests --------------------------------------------------------------===//
#include "tests/unit/jit/EchoTarget.h"
#include "core/ir/Parse.h"
#include "core/support/Outcome.h"
#include "jit/kernel/Kernel.h"
#include "jit/reference/InterpExecutable.h"
#include "mlir/IR/BuiltinOps.h"
#include <cstring>

namespace trisect::jit {

uint64_t EchoMemory::allocateCopy(const void *from, size_t bytes) {
  std::lock_guard guard(lock);
  uint64_t address = next;
  next += (bytes + 511) / 256 * 256; // a gap behind each
  const auto *begin = static_cast<const uint8_t *>(from);
  blocks[address].assign(begin, begin + bytes);
  return address;
}

std::pair<const uint64_t, std::vector<uint8_t>> *EchoMemory::find(uint64_t address, size_t bytes) {
  auto after = blocks.upper_bound(address);
  if (after == blocks.begin())
    return nullptr;
  auto &block = *std::prev(after);
  return address - block.first + bytes <= block.second.size() ? &block : nullptr;
}

void EchoMemory::read(uint64_t address, void *to, size_t bytes) {
  std::lock_guard guard(lock);
  auto *block = find(address, bytes);
  if (!block)
    throw InvalidInput("echo: no memory there to read");
  std::memcpy(to, block->second.data() + (address - block->first), bytes);
}

void EchoMemory::write(uint64_t address, const void *from, size_t bytes) {
  std::lock_guard guard(lock);
  auto *block = find(address, bytes);
  if (!block)
    throw InvalidInput("echo: no memory there to write");
  std::memcpy(block->second.data() + (address - block->first), from, bytes);
}

std::optional<Allocation> EchoMemory::allocationAt(uint64_t address) {
  std::lock_guard guard(lock);
  auto *block = find(address, 1);
  return block ? std::optional(Allocation{block->first, block->second.size()}) : std::nullopt;
}

namespace {
class EchoExecutable final : public Executable {
public:
  EchoExecutable(const Artifact &artifact, MemorySpace &memory)
      : tier0(InterpExecutable::decode(*Kernel::create(artifact.code, artifact.kernel))), memory(memory) {}
  void launch(const LaunchRequest &request) override {
    ++echoFlaws().launches;
    tier0->launch(request);
    if (echoFlaws().after)
      echoFlaws().after(memory, request);
  }
  NumericProfile numerics() const override { return NumericProfile::Cpu; }

private:
  std::unique_ptr<InterpExecutable> tier0;
  MemorySpace &memory;
};

class EchoDevice final : public Device {
public:
  EchoDevice(std::string name, MemorySpace &space) : id(std::move(name)), space(space) {}
  std::string_view name() const override { return id; }
  MemorySpace &memory() override { return space; }
  std::unique_ptr<Executable> load(std::shared_ptr<const Artifact> artifact) override {
    if (artifact->target != "echo")
      throw InvalidInput("echo: not made for this device");
    return std::make_unique<EchoExecutable>(*artifact, space);
  }

private:
  std::string id;
  MemorySpace &space;
};

class EchoTarget final : public Target {
public:
  std::string_view name() const override { return "echo"; }
  NumericProfile numerics() const override { return NumericProfile::Cpu; }
  std::unique_ptr<const TargetOptions> readOptions(const OptionTexts &texts) const override {
    return std::make_unique<TargetOptions>(TargetOptions::read(texts));
  }
  std::string isa(const TargetOptions &) const override { return "ttir"; }
  Artifact compile(mlir::ModuleOp module, std::string_view kernel, const TargetOptions &, Form) override {
    ++echoFlaws().compiles;
    if (echoFlaws().inCompile)
      echoFlaws().inCompile();
    Artifact artifact;
    artifact.target = "echo";
    artifact.isa = "ttir";
    artifact.kernel = kernel;
    artifact.numerics = NumericProfile::Cpu;
    artifact.code = tt::printBytecode(module);
    return artifact;
  }
  Device *device(DeviceId where) override {
    return where == echoDevice ? &own : where.kind == DeviceKind::Host ? &host : nullptr;
  }

private:
  EchoDevice own{"echo", echoMemory()}, host{"host", hostMemory()};
};
} // namespace

EchoMemory &echoMemory() {
  static auto *memory = new EchoMemory;
  return *memory;
}

EchoFlaws &echoFlaws() {
  static auto *flaws = [] {
    addMemory(DeviceKind::Extension, [](int32_t) -> MemorySpace * { return &echoMemory(); });
    TargetRegistry::add("echo", []() -> std::unique_ptr<Target> { return std::make_unique<EchoTarget>(); });
    return new EchoFlaws;
  }();
  return *flaws;
}

} // namespace trisect::jit
