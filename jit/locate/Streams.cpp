//===- Streams.cpp - one run of each tier ---------------------------------------------------------------===//
#include "jit/locate/Streams.h"
#include "core/support/Outcome.h"
#include "core/support/PrintSink.h"
#include "jit/check/Compare.h"
#include "jit/check/Copies.h"
#include "jit/check/InPlace.h"
#include "jit/reference/PageReader.h"
#include <algorithm>
#include <cstring>

namespace trisect::jit {

namespace {
constexpr uint64_t page = interp::Overlay::pageBytes;

int64_t wordOf(const std::vector<uint8_t> &stream, uint64_t offset) {
  int64_t value = 0;
  std::memcpy(&value, stream.data() + offset, sizeof(value));
  return value;
}

/// Memory for a stream, on pages of its own.
class StreamMemory {
public:
  StreamMemory(MemorySpace &memory, int64_t from)
      : memory(memory), block(memory.allocate(StreamFormat::bytes + 2 * page)) {
    std::vector<uint8_t> empty(StreamFormat::bytes);
    std::memcpy(empty.data() + 8, &from, sizeof(from));
    memory.write(address(), empty.data(), empty.size());
  }
  ~StreamMemory() { memory.release(block); }
  StreamMemory(const StreamMemory &) = delete;
  StreamMemory &operator=(const StreamMemory &) = delete;
  uint64_t address() const { return (block + page - 1) / page * page; }

private:
  MemorySpace &memory;
  uint64_t block;
};

/// A launch with the stream as its last argument.
struct WatchedLaunch {
  std::vector<ArgBits> args;
  std::vector<TensorView> tensors;
  LaunchRequest request;

  WatchedLaunch(const LaunchRequest &launch, uint64_t stream)
      : args(launch.args.begin(), launch.args.end()), tensors(launch.tensors.begin(), launch.tensors.end()),
        request(launch) {
    TensorView view;
    view.argument = static_cast<unsigned>(args.size());
    view.name = "trisect_probe";
    view.address = stream;
    view.type = DType::I8;
    view.shape = {StreamFormat::bytes};
    view.strides = {1};
    args.push_back(stream);
    tensors.push_back(view);
    request.args = args;
    request.tensors = tensors;
    request.threads = 1;
  }
};

/// Whether it came to its end; what it left is collected.
bool runCompiled(Executable &executable, Ground &ground, ProgramRange programs) {
  LaunchRequest alone = ground.request();
  alone.part = programs;
  alone.threads = 1;
  MutedPrints muted;
  // A stream that is longer than tier 0's asks for further pages.
  for (uint64_t provided = 0; provided <= StreamFormat::bytes / page; ++provided) {
    try {
      executable.launch(alone);
      ground.collect();
      return true;
    } catch (const KernelFault &fault) {
      ground.collect();
      auto &details = fault.fault().details;
      auto address = std::find_if(details.begin(), details.end(),
                                  [](const auto &detail) { return detail.first == "address"; });
      if (address == details.end() || !ground.provide(std::stoull(address->second, nullptr, 16)))
        return false;
      ground.restore();
    }
  }
  return false;
}

void copyPage(std::vector<uint8_t> &stream, uint64_t begin, uint64_t address, const uint8_t *from) {
  if (address >= begin && address < begin + stream.size())
    std::memcpy(stream.data() + (address - begin), from,
                std::min<uint64_t>(page, stream.size() - (address - begin)));
}
} // namespace

std::vector<Record> Streams::records(const std::vector<uint8_t> &stream, const Probes &probes) {
  std::vector<Record> all;
  int64_t from = wordOf(stream, 8), end = std::min(wordOf(stream, 0) - from, StreamFormat::window);
  for (int64_t at = 0; at + StreamFormat::recordHeader <= end;) {
    auto number = static_cast<uint64_t>(wordOf(stream, static_cast<uint64_t>(at + StreamFormat::header)));
    if (number >= probes.values().size())
      break;
    int64_t next = at + probes.values()[number].recordBytes();
    if (next > end)
      break;
    all.push_back({static_cast<unsigned>(number),
                   static_cast<uint64_t>(at + StreamFormat::header + StreamFormat::recordHeader)});
    at = next;
  }
  return all;
}

bool Streams::overflows(const std::vector<uint8_t> &stream, int64_t from) {
  return wordOf(stream, 0) - from > StreamFormat::window;
}

Streams streamsOf(const std::shared_ptr<const Kernel> &watching, const Tier &tier, Form form,
                  const LaunchRequest &launch, int64_t from) {
  MemorySpace &memory = tier.device->memory();
  std::unique_ptr<InterpExecutable> reference = InterpExecutable::decode(*watching);
  std::unique_ptr<Executable> executable = tier.device->load(compileFor(tier, *watching, form));
  StreamMemory block(memory, from);
  WatchedLaunch watched(launch, block.address());
  ProgramRange programs = launch.programs();
  Streams streams;
  streams.address = block.address();
  interp::Overlay overlay = overlayOver(memory);
  reference->runAside(watched.request, programs, overlay);
  PageImages images = imagesOf(overlay);
  std::unique_ptr<Ground> ground;
  if (memory.isHost() && !watching->traits().addressesShow)
    ground = Copies::create(*watching, images, watched.request, /*inverts=*/false);
  if (!ground)
    ground = std::make_unique<InPlace>(std::move(images), watched.request, memory);
  streams.faulted = !runCompiled(*executable, *ground, programs);
  streams.expected.resize(StreamFormat::bytes);
  streams.found.resize(StreamFormat::bytes);
  for (const PageImage &image : ground->pages()) {
    copyPage(streams.expected, block.address(), image.address, image.expected);
    copyPage(streams.found, block.address(), image.address, image.found);
  }
  ground->putBack();
  if (programs.count == 1)
    streams.legality.emplace(*reference, watched.request, programs, memory, executable->numerics());
  Tensors tensors(watched.request.tensors);
  Verdict verdict;
  for (const PageImage &image : ground->pages())
    if (image.address + page <= block.address() || image.address >= block.address() + StreamFormat::bytes)
      compare({image.address, {image.expected, page}, {image.written, page}, {image.found, page}}, tensors,
              streams.legality ? &*streams.legality : nullptr, verdict);
  streams.memory = verdict.first;
  ground->restore();
  return streams;
}

} // namespace trisect::jit
