//===- Touches.cpp - which bytes tier 0 touches ---------------------------------------------------------===//
#include "jit/tools/Touches.h"
#include "core/support/Outcome.h"
#include "interp/memory/Overlay.h"
#include "interp/program/Decode.h"
#include "interp/run/Run.h"

namespace trisect::tools {

namespace {
/// Counts what passes through to pages beside the real memory. One thread does all, so that nothing races.
class CountingMemory final : public interp::MemoryPolicy {
public:
  explicit CountingMemory(cuda::GlobalMemory &counts) : counts(counts) {}

  void read(const interp::AccessSite &site, uint64_t address, void *into, int64_t bytes) override {
    count(cuda::GlobalMemory::Access::Read, address, bytes);
    overlay.read(site, address, into, bytes);
  }
  void write(const interp::AccessSite &site, uint64_t address, const void *from, int64_t bytes) override {
    count(cuda::GlobalMemory::Access::Write, address, bytes);
    overlay.write(site, address, from, bytes);
  }

private:
  void count(cuda::GlobalMemory::Access access, uint64_t address, int64_t bytes) {
    for (int64_t at = 0; at < bytes; ++at)
      counts.touch(access, address + static_cast<uint64_t>(at), 1, {});
  }

  cuda::GlobalMemory &counts;
  interp::Overlay overlay;
};
} // namespace

std::optional<cuda::GlobalMemory> touchedByInterpreter(const TestLaunch &test, const LaunchRequest &request) {
  cuda::GlobalMemory counts(request.tensors);
  CountingMemory memory(counts);
  interp::RunOptions options;
  options.numerics = test.settings.cudaNumerics ? interp::Numerics::Cuda : interp::Numerics::Ieee;
  options.seed = test.settings.seed;
  options.interrupt = &test.stop;
  options.memory = &memory;
  options.print = [](std::string_view) {};
  try {
    interp::run(*interp::decode(test.module, test.kernel), request, options);
  } catch (const Error &) {
    return std::nullopt;
  }
  return counts;
}

std::string compareTouches(const cuda::GlobalMemory &got, const cuda::GlobalMemory &wanted, bool inOrder) {
  for (size_t n = 0; n < got.pieces().size(); ++n) {
    const auto &mine = got.pieces()[n], &theirs = wanted.pieces()[n];
    for (size_t at = 0; at < mine.read.size(); ++at) {
      std::string place = "byte " + std::to_string(at) + " of tensor " + std::to_string(n) + " (by address) ";
      if (mine.read[at] && !theirs.read[at])
        return place + "is read, and tier 0 does not read it";
      if (mine.written[at] != theirs.written[at] && (inOrder || !mine.atomic[at]))
        return place + "is written " + std::to_string(mine.written[at]) + " times, by tier 0 " +
               std::to_string(theirs.written[at]) + " times";
    }
  }
  return "";
}

} // namespace trisect::tools
