//===- EmulatedTier.cpp - tier 2 in the emulator, under test --------------------------------------------===//
#include "jit/tools/EmulatedTier.h"
#include "core/ir/Parse.h"
#include "core/support/Outcome.h"
#include "jit/tools/PtxReader.h"
#include "jit/tools/Touches.h"
#include <algorithm>
#include <cstring>
#include <ranges>

namespace trisect::tools {

namespace {
/// The kernel that ran last: the ways of a run share their code.
class LastKernel {
public:
  cuda::EmulatedKernel &get(mlir::ModuleOp module, const std::string &kernel,
                            const cuda::EmitOptions &options, const cuda::CodeChange &change) {
    std::string wanted = kernel + "\n" + tt::printModule(module);
    if (!code || wanted != text) {
      code.reset();
      code = std::make_unique<cuda::EmulatedKernel>(module, kernel, options, readPtx, change);
      text = std::move(wanted);
    }
    return *code;
  }

private:
  std::string text;
  std::unique_ptr<cuda::EmulatedKernel> code;
};

int64_t bytesOf(const TensorView &view) {
  int64_t bytes = byteSize(view.type);
  for (int64_t extent : view.shape)
    bytes *= extent;
  return bytes;
}

/// The way in which a run is preceded by one whose buffers overlap one another.
constexpr const char *overlapping = "overlapping";

/// The launch with each buffer `distance` behind the one before, in memory of its own: what the program makes
/// of it has no name, but its operations are in order all the same. With such contents an index may go
/// astray, or a loop never end: these are no errors.
void launchOverlapping(cuda::EmulatedKernel &kernel, LaunchRequest request, int64_t distance) {
  constexpr int64_t alignment = 64;
  int64_t bytes = 0, all = distance * static_cast<int64_t>(request.args.size());
  for (const TensorView &view : request.tensors) {
    if (view.type == DType::Ptr || request.args[view.argument] != view.address)
      return;
    bytes = std::max(bytes, bytesOf(view));
  }
  std::vector<ArgBits> arguments(request.args.begin(), request.args.end());
  bytes += std::abs(all) + 2 * alignment;
  std::vector<uint8_t> memory(bytes);
  uint64_t start = (reinterpret_cast<uint64_t>(memory.data()) + alignment - 1) / alignment * alignment;
  if (all < 0)
    start += (-all + alignment - 1) / alignment * alignment;
  // The first ones, which are read most, keep their contents.
  for (const TensorView &view : std::views::reverse(request.tensors)) {
    arguments[view.argument] = start + distance * view.argument;
    std::memcpy(reinterpret_cast<void *>(arguments[view.argument]),
                reinterpret_cast<const void *>(view.address), bytesOf(view));
  }
  TensorView whole{0, "memory", reinterpret_cast<uint64_t>(memory.data()), DType::I8, {bytes}, {1}};
  cuda::GlobalMemory watched({&whole, 1});
  request.args = arguments;
  constexpr int patience = 50;
  try {
    kernel.launch(request, 0, [left = patience]() mutable { return --left < 0; }, &watched);
  } catch (const EngineError &error) {
    std::string text = error.what();
    bool ofContents = false;
    for (const char *each : {"outside of every tensor", "no multiple of it", "stopped before"})
      ofContents |= text.find(each) != std::string::npos;
    if (!ofContents)
      throw EngineError("with buffers that overlap: " + text);
  } catch (const KernelFault &) {
    return; // an assertion about contents
  }
}

class EmulatedTest final : public Executable {
public:
  EmulatedTest(cuda::EmulatedKernel &kernel, uint64_t seed, const TestLaunch &test)
      : kernel(kernel), seed(seed), test(test) {}
  void launch(const LaunchRequest &request) override {
    if (test.way == overlapping && !request.tensors.empty()) {
      // One behind the other, one on the other, neighbours on each other's places, and what a later program
      // writes on what an earlier one has read.
      int64_t element = byteSize(request.tensors.front().type);
      for (int64_t distance : {int64_t(64), int64_t(0), element, 2 * element, -element, -64 * element})
        launchOverlapping(kernel, request, distance);
    }
    auto wanted = touchedByInterpreter(test, request);
    cuda::GlobalMemory memory(request.tensors);
    kernel.launch(request, seed, [&] { return test.stop.load(); }, &memory);
    if (std::string problem = wanted ? compareTouches(memory, *wanted, seed == 0) : ""; !problem.empty())
      throw EngineError("cuda emulator: " + problem);
  }

private:
  cuda::EmulatedKernel &kernel;
  uint64_t seed;
  const TestLaunch &test;
};
} // namespace

TestedTier emulatedTier(unsigned seeds, unsigned warps, cuda::CodeChange change) {
  TestedTier tier;
  tier.name = "cuda";
  tier.mayRefuse = true;
  // The empty name is the plain way: threads in turn.
  for (unsigned seed = 1; seed <= seeds; ++seed)
    tier.ways.push_back(std::to_string(seed));
  tier.ways.emplace_back(overlapping);
  tier.load = [warps, change = std::move(change),
               last = std::make_shared<LastKernel>()](const TestLaunch &test) {
    cuda::EmitOptions options;
    options.warps = warps;
    uint64_t seed = test.way.empty() || test.way == overlapping ? 0 : std::stoull(test.way);
    return std::make_unique<EmulatedTest>(last->get(test.module, test.kernel, options, change), seed, test);
  };
  return tier;
}

} // namespace trisect::tools
