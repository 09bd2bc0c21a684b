//===- CorpusArguments.cpp - memory and arguments for a kernel of which nothing is known ----------------===//
#include "interp/tools/CorpusArguments.h"
#include "interp/exec/Format.h"
#include "interp/tools/CorpusDemands.h"
#include <algorithm>
#include <bit>
#include <cstring>

namespace trisect::tools {

namespace {

using Data = CorpusPlan::Data;
using Integers = CorpusPlan::Integers;

constexpr size_t usualBytes = size_t(1) << 20;
/// Entries of a table of pointers lead to as many places.
constexpr size_t tableEntries = 16;

uint64_t integerElement(Data data, uint64_t random, size_t index, unsigned size) {
  switch (data) {
  case Data::Small:
    return random % 8;
  case Data::Positive:
    return random % 8 + 1;
  case Data::Index:
    return size == 1 ? index % 128 : size == 2 ? index % 32768 : index;
  case Data::Bits:
    return random & 1;
  case Data::Zero:
    return 0;
  }
  return 0;
}

double floatElement(Data data, uint64_t random, size_t index, uint64_t seed) {
  switch (data) {
  case Data::Small:
    return static_cast<double>(random % 16) / 4 - 2;
  case Data::Positive:
    return static_cast<double>(random % 8 + 1) / 4;
  case Data::Index:
    return static_cast<double>((index + seed) % 16);
  case Data::Bits:
    return static_cast<double>(random & 1);
  case Data::Zero:
    return 0;
  }
  return 0;
}

/// Numbers of a type, the same for the same seed.
void fill(uint8_t *data, size_t bytes, DType type, Data kind, uint64_t seed) {
  unsigned size = byteSize(type);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  // Random numbers repeat after 256 elements, which is quick to write.
  size_t own = kind == Data::Index ? bytes / size : 256;
  for (size_t n = 0; n < own; ++n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint64_t random = state >> 40;
    uint64_t bits = isFloat(type) ? interp::fromDouble(floatElement(kind, random, n, seed), type)
                                  : integerElement(kind, random, n, size);
    if (type == DType::I1)
      bits &= 1;
    std::memcpy(data + n * size, &bits, size);
  }
  for (size_t at = own * size; at < bytes; at += own * size)
    std::memcpy(data + at, data, own * size);
}

int64_t largestExtent(const interp::Program &program) {
  int64_t most = 1;
  for (const interp::Shape &shape : program.shapes)
    for (int64_t extent : shape.dims)
      most = std::max(most, extent);
  return most;
}

Grid gridFor(const interp::Program &program, int extent) {
  Grid grid;
  int32_t *axes[] = {&grid.x, &grid.y, &grid.z};
  for (const interp::Instr &i : program.code)
    if (i.opcode == interp::Opcode::ProgramId)
      *axes[i.attribute] = extent;
  return grid;
}

int64_t sizeFor(const interp::Program &program, Integers integers, bool severalPrograms) {
  int64_t most = largestExtent(program);
  switch (integers) {
  case Integers::OneSize:
  case Integers::BlockRows:
    return std::clamp<int64_t>(most, 4, 128);
  case Integers::Rows:
  case Integers::UnitRows:
    return std::clamp<int64_t>(
        static_cast<int64_t>(std::bit_ceil(uint64_t(most))) * (severalPrograms ? 2 : 1), 16, 1 << 20);
  case Integers::SmallSize:
    return 16;
  case Integers::One:
    return 1;
  }
  return 1;
}

} // namespace

CorpusArguments::CorpusArguments(const interp::Program &program, const CorpusRoles &roles,
                                 CorpusMemory &memory, const CorpusPlan &plan)
    : program(program), roles(roles), memory(memory), plan(plan), grid(gridFor(program, plan.programs)) {
  size = sizeFor(program, plan.integers, grid.programs() > 1);
  int64_t most = size;
  for (size_t n = 0; n < program.parameters.size(); ++n)
    most = std::max(most, integerFor(n));
  // The largest stride times the largest size, of the widest type.
  bytes = std::clamp(std::bit_ceil(static_cast<size_t>(std::min<int64_t>(most, 1 << 30) * size * 8)),
                     usualBytes, GuardedBuffers::mostBytes);
  if (plan.integers != Integers::Rows && plan.integers != Integers::UnitRows)
    bytes = usualBytes;
  choose();
  descriptors.reserve(program.parameters.size());
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    const interp::Parameter &parameter = program.parameters[n];
    if (isFloat(parameter.type)) {
      args.push_back(interp::fromDouble(1.5, parameter.type));
      continue;
    }
    if (!parameter.descriptor && parameter.type != DType::Ptr) {
      unsigned bits = parameter.type == DType::I1 ? 1 : byteSize(parameter.type) * 8;
      args.push_back(static_cast<uint64_t>(numbers[n]) & (~uint64_t(0) >> (64 - bits)));
      continue;
    }
    bool table = parameter.pointee == DType::Ptr || roles.isTable(n);
    uint8_t *data = table ? newTable() : newBuffer(parameter.pointee);
    TensorView view;
    view.argument = static_cast<unsigned>(n);
    view.name = parameter.name;
    view.address = reinterpret_cast<uint64_t>(data);
    view.type = parameter.pointee;
    view.shape = {static_cast<int64_t>(bytes / byteSize(parameter.pointee))};
    view.strides = {1};
    views.push_back(std::move(view));
    args.push_back(reinterpret_cast<ArgBits>(data));
    if (parameter.descriptor)
      addDescriptor(n, data);
  }
  save(memory.initial);
}

uint8_t *CorpusArguments::newBuffer(DType type) {
  uint8_t *data = memory.buffers.get(buffers.size(), bytes);
  fill(data, bytes, type, plan.data, buffers.size());
  buffers.push_back(data);
  return data;
}

uint8_t *CorpusArguments::newTable() {
  uint8_t *target = newBuffer(DType::I8);
  uint8_t *data = memory.buffers.get(buffers.size(), bytes);
  for (size_t n = 0; n < bytes / sizeof(uint64_t); ++n) {
    auto entry = reinterpret_cast<uint64_t>(target) + n % tableEntries * (bytes / tableEntries);
    std::memcpy(data + n * sizeof(uint64_t), &entry, sizeof(uint64_t));
  }
  buffers.push_back(data);
  tables.push_back(data);
  return data;
}

int64_t CorpusArguments::integerFor(size_t n) const {
  const interp::Parameter &parameter = program.parameters[n];
  if (parameter.type == DType::I1)
    return parameter.divisibility == 1 && plan.integers != Integers::SmallSize;
  int64_t number = size;
  int rank = roles.strideRank(n);
  bool rows = plan.integers == Integers::Rows || plan.integers == Integers::UnitRows;
  if (rows && rank >= 0) {
    number = plan.integers == Integers::UnitRows ? 1 : size;
    for (int d = 0; d < std::min(rank, 4); ++d)
      number = std::min(number * size, int64_t(1) << 30);
  }
  if (plan.integers == Integers::BlockRows && rank >= 0)
    number = roles.blockExtent(n, rank + 1);
  auto unit = static_cast<int64_t>(parameter.divisibility);
  return (number + unit - 1) / unit * unit;
}

void CorpusArguments::choose() {
  numbers.assign(program.parameters.size(), 0);
  for (size_t n = 0; n < numbers.size(); ++n) {
    const interp::Parameter &parameter = program.parameters[n];
    if (!parameter.descriptor && parameter.type != DType::Ptr && !isFloat(parameter.type))
      numbers[n] = integerFor(n);
  }
  for (size_t n = 0; n < numbers.size(); ++n)
    if (program.parameters[n].descriptor && followed(n)) {
      DescriptorArg usual = usualDescriptor(program.parameters[n].descriptorRank);
      auto rank = static_cast<size_t>(usual.rank);
      std::copy_n(usual.shape, rank, numbers.begin() + static_cast<ptrdiff_t>(n + 1));
      std::copy_n(usual.strides, rank, numbers.begin() + static_cast<ptrdiff_t>(n + 1 + rank));
    }
  meetDemands(program, numbers);
}

DescriptorArg CorpusArguments::usualDescriptor(int rank) const {
  DescriptorArg made;
  made.rank = rank;
  int64_t stride = 1;
  for (int d = rank - 1; d >= 0; --d) {
    made.shape[d] = rank > 2 ? 16 : std::max<int64_t>(size, 16);
    made.strides[d] = stride;
    stride *= made.shape[d];
  }
  return made;
}

bool CorpusArguments::followed(size_t descriptor) const {
  auto rank = static_cast<size_t>(program.parameters[descriptor].descriptorRank);
  if (descriptor + 2 * rank >= program.parameters.size())
    return false;
  for (size_t at = 0; at < 2 * rank; ++at) {
    const interp::Parameter &parameter = program.parameters[descriptor + 1 + at];
    if (parameter.descriptor || parameter.type != (at < rank ? DType::I32 : DType::I64))
      return false;
  }
  return true;
}

void CorpusArguments::addDescriptor(size_t n, uint8_t *data) {
  DescriptorArg &made = descriptors.emplace_back(usualDescriptor(program.parameters[n].descriptorRank));
  made.address = reinterpret_cast<uint64_t>(data);
  if (followed(n)) {
    auto rank = static_cast<size_t>(made.rank);
    std::copy_n(numbers.begin() + static_cast<ptrdiff_t>(n + 1), rank, made.shape);
    std::copy_n(numbers.begin() + static_cast<ptrdiff_t>(n + 1 + rank), rank, made.strides);
  }
  args.back() = reinterpret_cast<ArgBits>(&made);
}

void CorpusArguments::refill() {
  const uint8_t *from = memory.initial.data();
  for (uint8_t *data : buffers) {
    std::memcpy(data, from, bytes);
    from += bytes;
  }
}

void CorpusArguments::save(std::vector<uint8_t> &into) const {
  into.clear();
  for (const uint8_t *data : buffers)
    into.insert(into.end(), data, data + bytes);
}

bool CorpusArguments::holds(const std::vector<uint8_t> &expected) const {
  const uint8_t *at = expected.data();
  for (const uint8_t *data : buffers) {
    if (std::memcmp(data, at, bytes) != 0)
      return false;
    at += bytes;
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

std::vector<HostRange> CorpusArguments::ranges() const {
  std::vector<HostRange> all;
  for (uint8_t *data : buffers)
    all.push_back({data, bytes, std::find(tables.begin(), tables.end(), data) != tables.end()});
  return all;
}

} // namespace trisect::tools
