//===- CudaExecutable.cpp - arguments, grids, records ---------------------------------------------------===//
#include "backends/cuda/launch/CudaExecutable.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/launch/Records.h"
#include "core/support/Outcome.h"
#include "core/support/PrintSink.h"
#include <algorithm>
#include <array>
#include <climits>

namespace trisect::cuda {

namespace {
constexpr uint32_t recordCapacityWords = 1 << 20;
constexpr int64_t mostBlocksAlongX = INT32_MAX;
constexpr int32_t mostBlocksAlongYz = 65535;

/// DescriptorArg::padding of a descriptor that is padded with NaN, not zero.
constexpr int32_t nanPadding = 2;
/// More do not fit into the parameters of a kernel.
constexpr size_t mostDescriptors = 128;

driver::LaunchShape shapeOf(const Artifact &artifact, const KernelInfo &info) {
  return {.threads = artifact.resources.warps * 32,
          .sharedBytes = static_cast<int>(artifact.resources.sharedBytes),
          .cooperative = info.cooperative,
          .dependent = info.dependent};
}
} // namespace

/// Pointers to the values of a launch's parameters, in the kernel's order.
class CudaExecutable::Parameters {
public:
  Parameters(const KernelInfo &info, std::span<const ArgBits> args) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (info.descriptorRanks[i] < 0)
        add(&args[i]);
      else
        addDescriptor(*reinterpret_cast<const DescriptorArg *>(args[i]));
    }
    add(&hidden);
  }
  HiddenParameter hidden;
  void **data() { return more.empty() ? few.data() : more.data(); }

private:
  void add(const void *value) {
    if (more.empty() && count < few.size()) {
      few[count++] = const_cast<void *>(value);
      return;
    }
    if (more.empty())
      more.assign(few.begin(), few.end());
    more.push_back(const_cast<void *>(value));
  }
  void addDescriptor(const DescriptorArg &descriptor) {
    add(&descriptor.address);
    for (int32_t d = 0; d < descriptor.rank; ++d)
      add(&descriptor.shape[d]);
    for (int32_t d = 0; d < descriptor.rank; ++d)
      add(&descriptor.strides[d]);
    padsWithNan[paddings] = descriptor.padding == nanPadding;
    add(&padsWithNan[paddings++]);
  }

  std::array<uint32_t, mostDescriptors> padsWithNan;
  size_t paddings = 0;
  std::array<void *, 64> few;
  size_t count = 0;
  std::vector<void *> more;
};

CudaExecutable::CudaExecutable(int device, std::shared_ptr<const Artifact> given)
    : artifact(std::move(given)), info(unpackKernelInfo(artifact->info)),
      loaded(device, artifact->code, artifact->symbol, shapeOf(*artifact, info)) {}

void CudaExecutable::launch(const LaunchRequest &request) {
  if (request.args.size() != info.descriptorRanks.size())
    throw InvalidInput("kernel '" + artifact->kernel + "' takes " +
                       std::to_string(info.descriptorRanks.size()) + " arguments; " +
                       std::to_string(request.args.size()) + " were given");
  if (request.programs().count <= 0)
    return;
  if (info.sites.empty())
    enqueue(request, 0);
  else
    launchRecorded(request);
}

void CudaExecutable::enqueue(const LaunchRequest &request, uint64_t recordAddress) {
  Parameters parameters(info, request.args);
  HiddenParameter &hidden = parameters.hidden;
  const Grid &grid = request.grid;
  hidden.grid[0] = grid.x;
  hidden.grid[1] = grid.y;
  hidden.grid[2] = grid.z;
  hidden.record = recordAddress;
  auto *stream = static_cast<driver::Stream>(request.stream);
  if (!request.part && grid.y <= mostBlocksAlongYz && grid.z <= mostBlocksAlongYz) {
    loaded.launch(
        {static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z)},
        parameters.data(), stream);
    return;
  }
  hidden.flags = 1;
  ProgramRange range = request.programs();
  while (range.count > 0) {
    int64_t blocks = std::min(range.count, mostBlocksAlongX);
    hidden.firstProgram = range.first;
    loaded.launch({static_cast<unsigned>(blocks), 1, 1}, parameters.data(), stream);
    range.first += blocks;
    range.count -= blocks;
  }
}

void CudaExecutable::launchRecorded(const LaunchRequest &request) {
  auto *stream = static_cast<driver::Stream>(request.stream);
  std::lock_guard guard(recordLock);
  bool capturing = driver::isCapturing(loaded.device(), stream);
  if (!record)
    prepareRecord();
  else if (recordIsOpen && !capturing)
    readRecord(stream);
  recordIsOpen |= capturing;
  enqueue(request, record->address());
  if (!capturing)
    readRecord(stream);
}

void CudaExecutable::prepareRecord() {
  driver::OutsideCapture outside;
  record = std::make_unique<driver::Buffer>(loaded.device(),
                                            sizeof(RecordBuffer) + recordCapacityWords * sizeof(uint32_t));
  RecordBuffer header{0, 0, recordCapacityWords, 0};
  driver::write(loaded.device(), driver::ownStream(loaded.device()), record->address(), &header,
                sizeof(header));
}

// Waits for the stream.
void CudaExecutable::readRecord(driver::Stream stream) {
  RecordBuffer header{};
  driver::read(loaded.device(), stream, record->address(), &header, sizeof(header));
  if (!header.used && !header.stop)
    return;
  uint32_t words = std::min(header.used, header.capacity);
  std::vector<Record> records(words / recordWords);
  if (!records.empty())
    driver::read(loaded.device(), stream, record->address() + sizeof(header), records.data(),
                 static_cast<int64_t>(records.size() * sizeof(Record)));
  RecordBuffer empty{0, 0, recordCapacityWords, 0};
  driver::write(loaded.device(), stream, record->address(), &empty, sizeof(empty));
  if (std::string text = printedText(records, info.sites, header.used - words); !text.empty())
    printToSink(text);
  throwFailedAssertion(records, info.sites, artifact->kernel);
  if (header.stop)
    throw EngineError("cuda: kernel " + artifact->kernel + " stopped and recorded no assertion");
}

} // namespace trisect::cuda
