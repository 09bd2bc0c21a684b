//===- CorpusArguments.cpp - memory and arguments for a kernel of which nothing is known ----------------===//
#include "interp/tools/CorpusArguments.h"
#include "interp/exec/Format.h"
#include <algorithm>
#include <cstring>

namespace trisect::tools {

namespace {

/// Small numbers of a type, the same for the same seed. Floats are multiples of 1/4.
void fill(uint8_t *data, DType type, uint64_t seed) {
  unsigned size = byteSize(type);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  // A period of 256 elements is enough and quick to write.
  std::vector<uint8_t> period(256 * size);
  for (size_t n = 0; n < 256; ++n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t number = (state >> 40) % 16;
    uint64_t bits = isFloat(type)       ? interp::fromDouble(static_cast<double>(number) / 4 - 2, type)
                    : type == DType::I1 ? number & 1
                                        : number % 8;
    std::memcpy(period.data() + n * size, &bits, size);
  }
  for (size_t at = 0; at < GuardedBuffers::bytes; at += period.size())
    std::memcpy(data + at, period.data(), period.size());
}

/// A size that the kernel's blocks suggest.
int64_t sizeFor(const interp::Program &program) {
  int64_t most = 1;
  for (const interp::Shape &shape : program.shapes)
    for (int64_t extent : shape.dims)
      most = std::max(most, extent);
  return std::clamp<int64_t>(most, 4, 128);
}

Grid gridFor(const interp::Program &program) {
  Grid grid;
  for (const interp::Instr &i : program.code)
    if (i.opcode == interp::Opcode::ProgramId && i.attribute < 2)
      (i.attribute ? grid.y : grid.x) = 2;
  return grid;
}

} // namespace

CorpusArguments::CorpusArguments(const interp::Program &program, GuardedBuffers &memory)
    : size(sizeFor(program)), grid(gridFor(program)) {
  descriptors.reserve(program.parameters.size());
  for (const interp::Parameter &parameter : program.parameters) {
    if (isFloat(parameter.type)) {
      args.push_back(interp::fromDouble(1.5, parameter.type));
      continue;
    }
    if (!parameter.descriptor && parameter.type != DType::Ptr) {
      args.push_back(static_cast<uint64_t>(integerFor(parameter)));
      continue;
    }
    Buffer buffer{memory[buffers.size()], parameter.pointee};
    if (parameter.pointee == DType::Ptr) {
      buffer.target = reinterpret_cast<uint64_t>(memory[buffers.size() + 1]);
      buffers.push_back({memory[buffers.size() + 1], DType::I8});
    }
    buffers.push_back(buffer);
    auto address = reinterpret_cast<uint64_t>(buffer.data);
    TensorView view;
    view.argument = static_cast<unsigned>(args.size());
    view.name = parameter.name;
    view.address = address;
    view.type = parameter.pointee;
    view.shape = {static_cast<int64_t>(GuardedBuffers::bytes / byteSize(parameter.pointee))};
    view.strides = {1};
    views.push_back(std::move(view));
    args.push_back(address);
    if (parameter.descriptor)
      addDescriptor(address, parameter.descriptorRank);
  }
  refill();
}

int64_t CorpusArguments::integerFor(const interp::Parameter &parameter) const {
  return parameter.type == DType::I1 ? 1 : size;
}

void CorpusArguments::addDescriptor(uint64_t address, int rank) {
  DescriptorArg &made = descriptors.emplace_back();
  made.address = address;
  made.rank = rank;
  int64_t stride = 1;
  for (int d = rank - 1; d >= 0; --d) {
    made.shape[d] = d == rank - 1 ? 64 : 16;
    made.strides[d] = stride;
    stride *= made.shape[d];
  }
  args.back() = reinterpret_cast<ArgBits>(&made);
}

void CorpusArguments::refill() {
  for (size_t n = 0; n < buffers.size(); ++n) {
    const Buffer &buffer = buffers[n];
    if (buffer.target)
      for (size_t at = 0; at < GuardedBuffers::bytes; at += sizeof(buffer.target))
        std::memcpy(buffer.data + at, &buffer.target, sizeof(buffer.target));
    else
      fill(buffer.data, buffer.type, n);
  }
}

std::vector<uint8_t> CorpusArguments::contents() const {
  std::vector<uint8_t> all;
  all.reserve(buffers.size() * GuardedBuffers::bytes);
  for (const Buffer &buffer : buffers)
    all.insert(all.end(), buffer.data, buffer.data + GuardedBuffers::bytes);
  return all;
}

bool CorpusArguments::holds(const std::vector<uint8_t> &expected) const {
  const uint8_t *at = expected.data();
  for (const Buffer &buffer : buffers) {
    if (std::memcmp(buffer.data, at, GuardedBuffers::bytes) != 0)
      return false;
    at += GuardedBuffers::bytes;
  }
  return true;
}

LaunchRequest CorpusArguments::request() const {
  LaunchRequest request;
  request.grid = grid;
  request.args = args;
  request.tensors = views;
  return request;
}

} // namespace trisect::tools
