//===- Instance.cpp - slots of a program before it starts -----------------------------------------------===//
#include "interp/exec/Instance.h"
#include "interp/exec/Rider.h"
#include <cstring>

namespace trisect::interp {

namespace {

/// A descriptor that the launch made (Launch.h) into its slots: base, shape, strides, padding.
void unpack(const DescriptorArg &descriptor, const Parameter &parameter, std::vector<Value> &values) {
  if (descriptor.rank != parameter.descriptorRank)
    throw InvalidInput("argument '" + parameter.name + "' is a descriptor of rank " +
                       std::to_string(descriptor.rank) + ", the kernel takes one of rank " +
                       std::to_string(parameter.descriptorRank));
  SlotId slot = parameter.slot;
  values[slot++].setSplat(descriptor.address);
  for (int d = 0; d < descriptor.rank; ++d)
    values[slot++].setSplat(uint32_t(descriptor.shape[d]));
  for (int d = 0; d < descriptor.rank; ++d)
    values[slot++].setSplat(uint64_t(descriptor.strides[d]));
  values[slot].setSplat(uint32_t(descriptor.padding));
}

} // namespace

Instance::Instance(const Program &program, const LaunchRequest &request, Numerics numerics,
                   MemoryPolicy *policy)
    : program(program), request(request),
      share(static_cast<int64_t>(program.slots.size() * sizeof(Value) + program.code.size() * sizeof(Place))),
      code(program.code.data()), uses(program.uses.data()), pool(BufferPool::ofThisThread()),
      values(program.slots.size()), lastPlace(program.code.size()), numerics(static_cast<uint8_t>(numerics)),
      policy(policy) {
  for (size_t n = 0; n < program.parameters.size(); ++n) {
    const Parameter &parameter = program.parameters[n];
    if (parameter.descriptor)
      unpack(*reinterpret_cast<const DescriptorArg *>(request.args[n]), parameter, values);
    else
      values[parameter.slot].setSplat(unsignedBits(request.args[n], parameter.type));
  }
  for (const Constant &constant : program.constants) {
    Value &value = values[constant.slot];
    if (constant.range) {
      value.form = Form::Affine;
      value.base = constant.bits;
      value.stride[0] = 1;
      if (program.elements(constant.slot) == 1)
        value.setSplat(unsignedBits(constant.bits, DType::I32));
    } else if (constant.splat) {
      value.setSplat(constant.bits);
    } else {
      value.form = Form::Dense;
      value.data = reinterpret_cast<char *>(const_cast<uint8_t *>(constant.data.data()));
    }
  }
}

Instance::~Instance() = default;

uint64_t scalarBits(Instance &s, const Instr &i, unsigned n) {
  const Value &value = s.operand(i, n);
  if (value.form == Form::Splat || value.form == Form::Affine)
    return value.base;
  uint64_t bits = 0;
  if (value.form == Form::Dense || value.form == Form::View)
    std::memcpy(&bits, value.data, byteSize(s.type(s.operandSlot(i, n))));
  return bits;
}

void Instance::dropUnnamedLastUses(const Instr &i) {
  for (unsigned n = 0; n < i.numOperands; ++n) {
    if (!dies(i, n))
      continue;
    SlotId slot = operandSlot(i, n);
    Value &value = values[slot];
    bool small = value.isLinear() || value.form == Form::Box;
    if (!small || program.strings[program.slots[slot].name].empty())
      value.drop();
  }
}

void Instance::restart(int64_t number) {
  linear = number;
  const Grid &grid = request.grid;
  id[0] = static_cast<int32_t>(number % grid.x);
  id[1] = static_cast<int32_t>(number / grid.x % grid.y);
  id[2] = static_cast<int32_t>(number / grid.x / grid.y);
  pc = primed && !observer ? program.uniformEnd : 0; // an observer sees the whole of each program
  primed = true;
  stop = Stop::None;
  writes = 0;
  spins = 0;
  carriedChange = false;
  passes = 0;
  repetition.reset();
  if (rider)
    rider->restart();
}

} // namespace trisect::interp
