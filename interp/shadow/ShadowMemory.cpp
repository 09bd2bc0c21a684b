//===- ShadowMemory.cpp - loads, stores, tiles and atomics before they happen ---------------------------===//
//
// What decides an access is looked at first (mask, addresses, stored elements), then the access itself:
// bounds, alignment, lanes of one store, other programs, memory that nobody wrote. Rows are checked as
// ranges; only what leaves its range is looked at lane by lane.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/ops/AccessLanes.h"
#include "interp/ops/Tile.h"
#include "interp/shadow/Shadow.h"

namespace trisect::interp {

namespace {

std::string tuple(const std::vector<int64_t> &numbers) {
  std::string text = "(";
  for (size_t n = 0; n < numbers.size(); ++n)
    text += (n ? ", " : "") + std::to_string(numbers[n]);
  return text + (numbers.size() == 1 ? ",)" : ")");
}

std::string bytesText(int64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

const char *verb(const Instr &i) {
  return isPlainLoad(i.opcode) ? "load" : isPlainStore(i.opcode) ? "store" : "atomic access";
}

const char *stored = "a stored byte";
const char *addressed = "an address";
const char *masked = "which lanes are live";

} // namespace

bool Shadow::touch(const Touch &t, const Shape &shape) {
  if (t.access.none())
    return true;
  Touch located = t;
  uint64_t low, high;
  if (t.tensor == Views::none && t.access.range(low, high))
    located.tensor = run.views.find(low, static_cast<int64_t>(high - low));
  if (located.tensor != Views::none && run.touched.watches(located.tensor)) {
    unsigned size = byteSize(s.type(t.element));
    auto marks = static_cast<uint8_t>((t.reads ? Touched::Read : 0) | (t.writes ? Touched::Written : 0));
    t.access.forActive([&](uint64_t address, int64_t step, int64_t, int64_t count) {
      run.touched.mark(located.tensor, address, step, size, count, marks);
    });
  }
  bool good = checkBounds(located, shape);
  if (!good) {
    dropping.aim(located.tensor, byteSize(s.type(t.element)));
    s.policy = &dropping;
  }
  checkAlignment(located, shape);
  if (t.writes && !t.atomic)
    checkStoreLanes(located, shape);
  if (good && run.races && located.tensor != Views::none)
    checkRaces(located, shape);
  if (good && t.writes && run.views.hasUnwritten() && located.tensor != Views::none) {
    auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
    for (const auto &memory : run.views[located.tensor].unwritten)
      t.access.forActive([&](uint64_t address, int64_t step, int64_t, int64_t count) {
        if (step == size)
          return memory->setWritten(address, count * size);
        for (int64_t n = 0; n < (step ? count : 1); ++n)
          memory->setWritten(address + uint64_t(n * step), size);
      });
  }
  return good;
}

bool Shadow::checkBounds(const Touch &t, const Shape &shape) {
  if (!has(FaultKind::OutOfBounds))
    return true;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  Lanes bad;
  uint64_t where = 0;
  if (t.tensor != Views::none) {
    const Extent &extent = run.views[t.tensor].extent;
    uint64_t low, high;
    bool ranged = t.access.range(low, high);
    if (ranged && extent.dense() && low >= extent.low() && high <= extent.high())
      return true;
    t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
      if (step == size && extent.contains(address, count * size))
        return;
      for (int64_t n = 0; n < count; ++n) {
        uint64_t at = address + uint64_t(n * step);
        if (extent.contains(at, size))
          continue;
        if (!bad.count)
          where = at;
        bad.add(lane + n);
        if (!step) {
          bad.count += count - 1;
          return;
        }
      }
    });
  } else {
    checkUnknown(t, size, bad, where);
  }
  if (!bad.count)
    return true;
  Finding found = finding(t.i, FaultKind::OutOfBounds);
  found.writes = t.writes;
  found.bytes = size;
  addTensor(found, t.tensor, where);
  addLanes(found, shape, bad);
  found.headline = verb(t.i);
  if (t.tensor == Views::none) {
    char text[32];
    std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(where));
    found.headline += where < 4096 ? " through a null pointer" : " through a pointer that leads nowhere";
    found.headline += std::string(": ") + text + " is no memory of this process";
  } else {
    const RegisteredView &registered = run.views[t.tensor];
    const Extent &extent = registered.extent;
    found.headline += " of '" + registered.view.name + "' at index " + tuple(found.index);
    if (extent.empty()) {
      found.headline += " is out of bounds: the tensor is empty";
    } else if (where + uint64_t(size) > extent.high() && where >= extent.low()) {
      found.distance = static_cast<int64_t>(where + uint64_t(size) - extent.high());
      found.headline +=
          " is out of bounds: it ends " + bytesText(found.distance) + " behind the end of a view";
    } else if (where < extent.low()) {
      found.distance = -static_cast<int64_t>(extent.low() - where);
      found.headline += " is out of bounds: it begins " + bytesText(-found.distance) + " before a view";
    } else {
      found.headline += " is out of bounds: it lies in a gap of a view";
    }
    if (!extent.empty()) {
      found.headline += " of shape " + tuple(registered.view.shape);
      if (!extent.dense())
        found.headline += " and strides " + tuple(registered.view.strides);
    }
    int32_t other = run.views.find(where, size);
    if (other != Views::none) {
      Finding there;
      addTensor(there, other, where);
      found.landsIn = there.tensor;
      found.landsIndex = there.index;
      found.headline += ", inside '" + there.tensor->name + "' at index " + tuple(there.index);
    }
  }
  report(std::move(found), t.i);
  return false;
}

void Shadow::checkUnknown(const Touch &t, int64_t size, Lanes &bad, uint64_t &where) {
  constexpr uint64_t page = 4096;
  int32_t last = Views::none;
  auto known = [&](uint64_t address, int64_t bytes) {
    last = run.views.find(address, bytes, last);
    if (last != Views::none)
      return true;
    for (uint64_t at = address / page; at <= (address + uint64_t(bytes) - 1) / page; ++at) {
      if (mappedPages.count(at))
        continue;
      if (!isMapped(at * page, 1))
        return false;
      mappedPages.insert(at);
    }
    return true;
  };
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    if (step == size && known(address, count * size))
      return;
    for (int64_t n = 0; n < count; ++n) {
      uint64_t at = address + uint64_t(n * step);
      if (!known(at, size)) {
        if (!bad.count)
          where = at;
        bad.add(lane + n);
      }
      if (!step)
        return;
    }
  });
}

void Shadow::checkAlignment(const Touch &t, const Shape &shape) {
  if (!has(FaultKind::Misaligned) || t.access.aligned())
    return;
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  Lanes bad;
  uint64_t where = 0;
  t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
    for (int64_t n = 0; n < count; ++n) {
      uint64_t at = address + uint64_t(n * step);
      if (at % uint64_t(size) == 0)
        continue;
      if (!bad.count)
        where = at;
      bad.add(lane + n);
    }
  });
  if (!bad.count)
    return;
  Finding found = finding(t.i, FaultKind::Misaligned);
  found.writes = t.writes;
  found.bytes = size;
  addTensor(found, t.tensor, where);
  addLanes(found, shape, bad);
  found.value = std::to_string(where % uint64_t(size));
  found.headline = std::string(verb(t.i)) + " of " + bytesText(size);
  if (found.tensor)
    found.headline += " in '" + found.tensor->name + "'";
  found.headline += ": the address is " + bytesText(static_cast<int64_t>(where % uint64_t(size))) +
                    " past a multiple of " + std::to_string(size);
  report(std::move(found), t.i);
}

void Shadow::findUnwritten(const Touch &t, TaintLanes &lanes, const Shape &shape) {
  auto size = static_cast<int64_t>(byteSize(s.type(t.element)));
  int32_t tensor = t.tensor;
  uint64_t low, high;
  if (tensor == Views::none && t.access.range(low, high))
    tensor = run.views.find(low, static_cast<int64_t>(high - low));
  if (tensor == Views::none)
    return;
  for (const auto &memory : run.views[tensor].unwritten)
    t.access.forActive([&](uint64_t address, int64_t step, int64_t lane, int64_t count) {
      if (step == size && !memory->any(address, count * size))
        return;
      for (int64_t n = 0; n < count; ++n) {
        uint64_t at = address + uint64_t(n * step);
        if (!memory->any(at, size))
          continue;
        if (lanes.empty())
          lanes.assign(static_cast<size_t>(shape.elements), 0);
        Taint &taint = lanes[static_cast<size_t>(lane + n)];
        if (!taint)
          taint = makeTaint(TaintKind::Uninitialized, indexOf(t.i));
        Birth &birth = births[indexOf(t.i)];
        if (birth.text.empty()) {
          Finding there;
          addTensor(there, tensor, at);
          birth = {"element " + tuple(there.index) + " of '" + there.tensor->name + "' was never written",
                   tensor, at};
        }
      }
    });
}

void Shadow::load(const Instr &i) {
  SlotId slot = s.resultSlot(i);
  const Shape &shape = s.shape(slot);
  const Value *mask = s.has(i, 1) ? &s.operand(i, 1) : nullptr;
  Access access(s.operand(i, 0), mask, shape, s.type(slot));
  const Shade other = s.has(i, 2) ? shadeOf(i, 2) : Shade{};
  checkMask(i, 1, access, masked);
  decidesLanes(i, 0, access, addressed, true);
  Touch t{i, access, slot, shadeOf(i, 0).tensor, true, false};
  checkReach(t, shape);
  t.atomic = i.flags & FlagVolatile; // polling another program is what it is for
  if (t.atomic && run.races)
    synchronise(i, access, byteSize(s.type(slot)));
  bool good = touch(t, shape);
  cleanResults(i);
  Shade &result = shade(slot);
  bool all = !mask || mask->isTrue();
  Taint undefined =
      !s.has(i, 2) && has(FaultKind::UndefinedValue) ? makeTaint(TaintKind::Undefined, indexOf(i)) : 0;
  if (access.none()) {
    result.all = s.has(i, 2) ? other.all : undefined;
    result.lanes = other.lanes;
    return;
  }
  TaintLanes lanes;
  if (!all && (undefined || other.tainted())) {
    lanes.resize(static_cast<size_t>(shape.elements));
    for (int64_t n = 0; n < shape.elements; ++n)
      lanes[static_cast<size_t>(n)] = undefined ? undefined : other.at(n);
    access.forActive(
        [&](uint64_t, int64_t, int64_t from, int64_t count) { std::fill_n(lanes.begin() + from, count, 0); });
  }
  if (good && run.views.hasUnwritten())
    findUnwritten(t, lanes, shape);
  if (shadeOf(i, 0).tainted())
    mislead(shadeOf(i, 0), access, lanes, shape.elements);
  if (!lanes.empty())
    result.setLanes(std::move(lanes));
}

void Shadow::store(const Instr &i) {
  SlotId slot = s.operandSlot(i, 1);
  const Shape &shape = s.shape(slot);
  const Value *mask = s.has(i, 2) ? &s.operand(i, 2) : nullptr;
  Access access(s.operand(i, 0), mask, shape, s.type(slot));
  checkMask(i, 2, access, masked);
  decidesLanes(i, 0, access, addressed, true);
  Touch t{i, access, slot, shadeOf(i, 0).tensor, false, true};
  t.value = &s.slot(slot);
  touch(t, shape);
  decidesLanes(i, 1, access, stored, false);
}

void Shadow::tile(const Instr &i) {
  bool loads = i.opcode == Opcode::BlockLoad;
  unsigned valueAt = i.numOperands - 1u;
  SlotId slot = loads ? s.resultSlot(i) : s.operandSlot(i, valueAt);
  auto rank = static_cast<unsigned>(s.program.extra(i).ints.size());
  for (unsigned n = 0; n < 1 + 3 * rank; ++n) {
    decides(i, n, "where a block lies");
    decides(i, n, "where a block lies", true);
  }
  Tile block = tileOf(s, i, s.type(slot));
  Access access(block.pointer, &block.mask, block.shape, s.type(slot));
  const Shade *broken = nullptr; // an operand that depends on a broken hint
  for (unsigned n = 0; n < 1 + 3 * rank; ++n)
    if (kindOf(shadeOf(i, n).all) == TaintKind::Promised)
      broken = &shadeOf(i, n);
  if (broken && !loads && !access.none())
    reportTaint(i, broken->all, s.operandSlot(i, 0), block.shape, {}, addressed);
  Touch t{i, access, slot, shadeOf(i, 0).tensor, i.opcode != Opcode::BlockStore, !loads};
  t.atomic = i.opcode == Opcode::BlockReduce;
  if (i.opcode == Opcode::BlockStore)
    t.value = &s.slot(slot);
  bool good = touch(t, block.shape);
  if (!loads) {
    decidesLanes(i, valueAt, access, stored, false);
    return;
  }
  cleanResults(i);
  TaintLanes lanes;
  if (good && run.views.hasUnwritten())
    findUnwritten(t, lanes, block.shape);
  if (broken)
    mislead(Shade(*broken), access, lanes, block.shape.elements);
  if (!lanes.empty())
    shade(slot).setLanes(std::move(lanes));
}

void Shadow::rowsOfTile(const Instr &i) {
  bool loads = i.opcode == Opcode::BlockGather;
  SlotId slot = loads ? s.resultSlot(i) : s.operandSlot(i, 7);
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  for (unsigned n = 0; n < i.numOperands - (loads ? 0u : 1u); ++n) {
    decides(i, n, "which rows are touched");
    decides(i, n, "which rows are touched", true);
  }
  if (!loads)
    decides(i, 7, stored);
  int64_t columns = shape.dims[1];
  TileRows rows(s, i, type, columns);
  Value keep, part;
  if (!loads) {
    part.form = Form::Dense;
    part.data = const_cast<char *>(denseOperand(s, i, 7, keep));
  }
  int32_t tensor = shadeOf(i, 0).tensor;
  bool good = true;
  TaintLanes lanes;
  for (int64_t r = 0; r < shape.dims[0]; ++r) {
    Value pointer, mask;
    rows.row(r, pointer, mask);
    Access access(pointer, &mask, rows.line, type);
    Touch t{i, access, slot, tensor, loads, !loads};
    if (!loads)
      t.value = &part;
    bool fine = touch(t, rows.line);
    good &= fine;
    if (fine && loads && run.views.hasUnwritten()) {
      TaintLanes line;
      findUnwritten(t, line, rows.line);
      if (!line.empty()) {
        lanes.resize(static_cast<size_t>(shape.elements), 0);
        std::copy(line.begin(), line.end(), lanes.begin() + r * columns);
      }
    }
    if (!loads)
      part.data += columns * byteSize(type);
  }
  s.policy = good ? usual : &dropping;
  cleanResults(i);
  if (!lanes.empty())
    shade(slot).setLanes(std::move(lanes));
}

void Shadow::atomic(const Instr &i) {
  bool reads = i.opcode != Opcode::AtomicStore;
  bool writes = i.opcode != Opcode::AtomicLoad && i.opcode != Opcode::AtomicPoll;
  SlotId slot = i.opcode == Opcode::AtomicLoad ? s.resultSlot(i) : s.operandSlot(i, 1);
  const Shape &shape = s.shape(s.operandSlot(i, 0));
  unsigned maskAt = i.opcode == Opcode::AtomicLoad ? 1 : 2;
  bool maskable =
      i.opcode == Opcode::AtomicRmw || i.opcode == Opcode::AtomicLoad || i.opcode == Opcode::AtomicStore;
  const Value *mask = maskable && s.has(i, maskAt) ? &s.operand(i, maskAt) : nullptr;
  Access access(s.operand(i, 0), mask, shape, s.type(slot));
  if (mask)
    checkMask(i, maskAt, access, masked);
  decidesLanes(i, 0, access, addressed, true);
  if (i.opcode != Opcode::AtomicLoad)
    decidesLanes(i, 1, access, stored, false);
  if (i.opcode == Opcode::AtomicCas)
    decidesLanes(i, 2, access, stored, false);
  Touch t{i, access, slot, shadeOf(i, 0).tensor, reads, writes};
  t.atomic = s.program.extra(i).ints[1] != 2; // programs do not share a scope of one
  TaintLanes lanes;
  if (reads && run.views.hasUnwritten() && !access.none())
    findUnwritten(t, lanes, shape);
  Taint unwritten = 0;
  Lanes bad;
  for (size_t n = 0; n < lanes.size(); ++n)
    if (lanes[n]) {
      unwritten = lanes[n];
      bad.add(static_cast<int64_t>(n));
    }
  if (unwritten && writes)
    reportTaint(i, unwritten, s.operandSlot(i, 0), shape, bad, stored);
  bool good = touch(t, shape);
  if (good && run.races)
    synchronise(i, access, byteSize(s.type(slot)));
  cleanResults(i);
  if (!i.numResults)
    return;
  if (unwritten && !writes)
    shade(s.resultSlot(i)).setLanes(std::move(lanes));
  if (!mask || mask->isTrue() || !has(FaultKind::UndefinedValue))
    return;
  TaintLanes results(static_cast<size_t>(shape.elements), makeTaint(TaintKind::Undefined, indexOf(i)));
  access.forActive(
      [&](uint64_t, int64_t, int64_t from, int64_t count) { std::fill_n(results.begin() + from, count, 0); });
  shade(s.resultSlot(i)).setLanes(std::move(results));
}

} // namespace trisect::interp
