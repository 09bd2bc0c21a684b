//===- Recorder.cpp - counting what programs do ---------------------------------------------------------===//
#include "interp/observe/Recorder.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

namespace {
constexpr uint64_t sectorBytes = 32;

int64_t nanoseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

bool pointsAt(const Instance &s, const Instr &i) {
  return i.numOperands > 0 && s.has(i, 0) && s.type(s.operandSlot(i, 0)) == DType::Ptr;
}

/// How often an operation that reads, then perhaps writes, reads a lane (see AtomicCell); 0: it does not do
/// both.
int readsPerLane(Opcode opcode) {
  switch (opcode) {
  case Opcode::AtomicRmw:
  case Opcode::BlockReduce:
    return 2;
  case Opcode::AtomicCas:
    return 1;
  default:
    return 0;
  }
}

} // namespace

Recorder::Recorder(const Program &program, const LaunchRequest &request, MemoryPolicy *under)
    : program(program), under(under), maps(request.tensors), operationOf(program.code.size()),
      launched(Clock::now()) {
  record.kernel = program.kernel;
  record.grid = request.grid;
  for (size_t n = 0; n < request.tensors.size(); ++n)
    record.tensors.push_back({request.tensors[n], maps[static_cast<int>(n)].granule()});
}

void Recorder::describe(const Instr &i, OperationRecord &operation) const {
  const Location *location = &program.locations[i.location];
  operation.position = location->position;
  for (; location->caller; location = &program.locations[location->caller])
    operation.callers.push_back(program.locations[location->caller].position);
  operation.mnemonic = info(i.op).mnemonic;
  if (i.numResults > 0)
    operation.result = program.strings[program.slots[program.result(i)].name];
}

void Recorder::before(Instance &s, const Instr &i) {
  if (isControl(i.opcode))
    return;
  uint32_t &number = operationOf[&i - program.code.data()];
  if (number == 0) {
    describe(i, record.operations.emplace_back());
    countersOf.emplace_back();
    number = static_cast<uint32_t>(record.operations.size());
  }
  current = number - 1;
  lanesReads = readsPerLane(i.opcode);
  reads = 0;
  OperationRecord &operation = record.operations[current];
  SlotId counted = i.numResults > 0 ? s.resultSlot(i) : i.numOperands > 0 ? s.operandSlot(i, 0) : noSlot;
  ++operation.executions;
  operation.elements += counted == noSlot ? 1 : s.elements(i, counted);
  if (listsAddresses(i.opcode) && pointsAt(s, i)) {
    const Value &pointer = s.operand(i, 0);
    operation.regular = pointer.form == Form::Affine || pointer.form == Form::Splat;
    operation.strides.assign(s.shape(s.operandSlot(i, 0)).rank(), 0);
    if (pointer.form == Form::Affine)
      std::copy_n(pointer.stride, operation.strides.size(), operation.strides.begin());
  }
  sectors.clear();
  started = Clock::now();
}

void Recorder::after(Instance &s, const Instr &i) {
  if (isControl(i.opcode))
    return;
  int64_t spent = nanoseconds(Clock::now() - started);
  OperationRecord &operation = record.operations[current];
  operation.nanoseconds += spent;
  if (!sectors.empty()) {
    std::ranges::sort(sectors);
    auto repeated = std::ranges::unique(sectors);
    operation.sectors += static_cast<int64_t>(sectors.size() - repeated.size());
  }
  if (record.timeline.size() < mostEvents)
    record.timeline.push_back({current, s.linear, nanoseconds(started - launched), spent});
  else
    ++record.eventsLeftOut;
}

Recorder::Counter &Recorder::counterOf(int tensor) {
  for (uint32_t number : countersOf[current])
    if (counters[number].access.tensor == tensor)
      return counters[number];
  countersOf[current].push_back(static_cast<uint32_t>(counters.size()));
  Counter &counter = counters.emplace_back();
  counter.access.operation = current;
  counter.access.tensor = tensor;
  if (tensor >= 0) {
    counter.access.touches.assign(maps[tensor].granules(), 0);
    counter.access.programs.assign(maps[tensor].granules(), 0);
    counter.lastProgram.assign(maps[tensor].granules(), -1);
  }
  return counter;
}

void Recorder::touch(const AccessSite &site, uint64_t address, int64_t bytes, bool writes) {
  if (bytes <= 0)
    return;
  int tensor = maps.find(address);
  Counter &counter = counterOf(tensor);
  (writes ? counter.access.writes : counter.access.reads) = true;
  if (lanesReads > 0 && (writes || reads++ % lanesReads != 0))
    return;
  counter.access.bytes += bytes;
  for (uint64_t sector = address / sectorBytes; sector <= (address + bytes - 1) / sectorBytes; ++sector)
    if (sectors.empty() || sectors.back() != sector)
      sectors.push_back(sector);
  if (tensor < 0)
    return;
  maps[tensor].forEachGranule(address, bytes, [&](int64_t granule, int64_t elements) {
    counter.access.touches[granule] += static_cast<uint32_t>(elements);
    record.operations[current].activeLanes += elements;
    if (counter.lastProgram[granule] != site.program) {
      counter.lastProgram[granule] = site.program;
      ++counter.access.programs[granule];
    }
  });
}

void Recorder::read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) {
  touch(site, address, bytes, false);
  if (under)
    under->read(site, address, into, bytes);
  else
    std::memcpy(into, reinterpret_cast<const void *>(address), static_cast<size_t>(bytes));
}

void Recorder::write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) {
  touch(site, address, bytes, true);
  if (under)
    under->write(site, address, from, bytes);
  else
    std::memcpy(reinterpret_cast<void *>(address), from, static_cast<size_t>(bytes));
}

LaunchRecord Recorder::take() {
  record.nanoseconds = nanoseconds(Clock::now() - launched);
  for (Counter &counter : counters)
    record.accesses.push_back(std::move(counter.access));
  return std::move(record);
}

} // namespace trisect::interp
