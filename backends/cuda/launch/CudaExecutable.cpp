//===- CudaExecutable.cpp - arguments, grids, records ---------------------------------------------------===//
#include "backends/cuda/launch/CudaExecutable.h"
#include "backends/cuda/driver/Capture.h"
#include "backends/cuda/launch/Records.h"
#include "core/support/Outcome.h"
#include "core/support/PrintSink.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace trisect::cuda {

namespace {
constexpr uint32_t recordCapacityWords = 1 << 20;
constexpr int64_t mostBlocksAlongYz = 65535;

/// DescriptorArg::padding of a descriptor that is padded with NaN, not zero.
constexpr int32_t nanPadding = 2;
/// More do not fit into the parameters of a kernel.
constexpr size_t mostDescriptors = 128;
/// Longer lists of parameters are passed one by one.
constexpr size_t mostBytes = 1024;

/// Programs of a grid that one launch can be.
struct Box {
  std::array<int32_t, 3> first;
  std::array<unsigned, 3> blocks;
};

/// The longest box that a row-major range of programs begins with: part of a row, whole rows, or whole
/// planes.
Box firstBox(const Grid &grid, ProgramRange range) {
  int64_t row = grid.x, plane = row * grid.y;
  int64_t x = range.first % row, y = range.first / row % grid.y, z = range.first / plane;
  Box box{{static_cast<int32_t>(x), static_cast<int32_t>(y), static_cast<int32_t>(z)}, {1, 1, 1}};
  if (x != 0 || range.count < row) {
    box.blocks[0] = static_cast<unsigned>(std::min(row - x, range.count));
    return box;
  }
  box.blocks[0] = static_cast<unsigned>(row);
  bool planes = y == 0 && grid.y <= mostBlocksAlongYz && range.count >= plane;
  int64_t rows = planes ? grid.y : std::min(grid.y - y, range.count / row);
  box.blocks[1] = static_cast<unsigned>(std::min(rows, mostBlocksAlongYz));
  if (planes)
    box.blocks[2] = static_cast<unsigned>(std::min(range.count / plane, mostBlocksAlongYz));
  return box;
}

driver::LaunchShape shapeOf(const Artifact &artifact, const KernelInfo &info) {
  return {.threads = artifact.resources.warps * 32,
          .sharedBytes = static_cast<int>(artifact.resources.sharedBytes),
          .cooperative = info.cooperative,
          .dependent = info.dependent};
}

/// Where the parameters of a kernel begin, if they can be written one after the other, each over what of the
/// one before goes beyond its place.
std::vector<uint16_t> offsetsOf(const driver::Code &code, size_t arguments) {
  std::vector<driver::ParameterPlace> places = code.parameters(arguments + 1);
  std::vector<uint16_t> offsets;
  size_t end = 0;
  bool fit = !places.empty() && places.back().bytes == sizeof(HiddenParameter) &&
             places.back().offset % alignof(HiddenParameter) == 0;
  for (const driver::ParameterPlace &each : places) {
    fit &= each.offset >= end && (each.bytes <= sizeof(ArgBits) || &each == &places.back());
    end = each.offset + each.bytes;
    offsets.push_back(static_cast<uint16_t>(each.offset));
  }
  return fit && end <= mostBytes ? offsets : std::vector<uint16_t>();
}
} // namespace

/// Pointers to the values of a launch's parameters, in the kernel's order.
class CudaExecutable::Parameters {
public:
  /// `plain`: no argument is a descriptor.
  Parameters(const KernelInfo &info, bool plain, std::span<const ArgBits> args) {
    if (plain && args.size() < few.size()) {
      for (const ArgBits &each : args)
        few[count++] = const_cast<ArgBits *>(&each);
      few[count] = &hidden;
      return;
    }
    for (size_t i = 0; i < args.size(); ++i) {
      if (info.descriptorRanks[i] < 0)
        add(&args[i]);
      else
        addDescriptor(*reinterpret_cast<const DescriptorArg *>(args[i]));
    }
    add(&hidden);
  }
  HiddenParameter hidden;
  void launch(const driver::Code &code, const std::array<unsigned, 3> &grid, driver::Stream stream) {
    code.launch(grid, more.empty() ? few.data() : more.data(), stream);
  }

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

/// The values themselves, at their places.
class CudaExecutable::PackedParameters {
public:
  PackedParameters(std::span<const uint16_t> offsets, std::span<const ArgBits> args)
      : end(offsets.back() + sizeof(HiddenParameter)), hidden(*write(offsets, args)) {}
  void launch(const driver::Code &code, const std::array<unsigned, 3> &grid, driver::Stream stream) {
    code.launch(grid, std::span(bytes, end), stream);
  }

private:
  HiddenParameter *write(std::span<const uint16_t> offsets, std::span<const ArgBits> args) {
#pragma GCC unroll 4
    for (size_t i = 0; i < args.size(); ++i)
      std::memcpy(bytes + offsets[i], &args[i], sizeof(ArgBits));
    return std::construct_at(reinterpret_cast<HiddenParameter *>(bytes + offsets.back()));
  }

  alignas(16) std::byte bytes[mostBytes];
  size_t end;

public:
  HiddenParameter &hidden; ///< within the bytes
};

CudaExecutable::CudaExecutable(int device, std::shared_ptr<const Artifact> given)
    : artifact(std::move(given)), info(unpackKernelInfo(artifact->info)),
      plain(std::ranges::all_of(info.descriptorRanks, [](int8_t rank) { return rank < 0; })),
      loaded(device, artifact->code, artifact->symbol, shapeOf(*artifact, info)) {
  // Attributes of launches are documented beside parameters one by one.
  if (plain && !info.cooperative && !info.dependent)
    offsets = offsetsOf(loaded, info.descriptorRanks.size());
}

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
  if (!offsets.empty())
    return enqueueWith(PackedParameters(offsets, request.args), request, recordAddress);
  enqueueWith(Parameters(info, plain, request.args), request, recordAddress);
}

template <class Passed>
void CudaExecutable::enqueueWith(Passed &&parameters, const LaunchRequest &request, uint64_t recordAddress) {
  HiddenParameter &hidden = parameters.hidden;
  const Grid &grid = request.grid;
  hidden.grid[0] = grid.x;
  hidden.grid[1] = grid.y;
  hidden.grid[2] = grid.z;
  hidden.record = recordAddress;
  hidden.apart = areApart(info.questions, request.args);
  auto *stream = static_cast<driver::Stream>(request.stream);
  if (!request.part && grid.y <= mostBlocksAlongYz && grid.z <= mostBlocksAlongYz) {
    parameters.launch(
        loaded, {static_cast<unsigned>(grid.x), static_cast<unsigned>(grid.y), static_cast<unsigned>(grid.z)},
        stream);
    return;
  }
  ProgramRange rest = request.programs();
  while (rest.count > 0) {
    Box box = firstBox(grid, rest);
    hidden.firstX = box.first[0];
    std::copy_n(box.first.begin() + 1, 2, hidden.firstYz);
    parameters.launch(loaded, box.blocks, stream);
    int64_t launched = int64_t(box.blocks[0]) * box.blocks[1] * box.blocks[2];
    rest.first += launched;
    rest.count -= launched;
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
  if (std::string text = printedText(records, info.sites, header.used - words);
      !text.empty() && !MutedPrints::active())
    printToSink(text);
  throwFailedAssertion(records, info.sites, artifact->kernel);
  if (header.stop)
    throw EngineError("cuda: kernel " + artifact->kernel + " stopped and recorded no assertion");
}

} // namespace trisect::cuda
