//===- Trace.cpp - summaries of values ------------------------------------------------------------------===//
#include "interp/exec/Trace.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace trisect::interp {

namespace {

std::string typeText(const Shape &shape, DType type) {
  if (shape.rank() == 0)
    return std::string(name(type));
  std::string text;
  for (int64_t extent : shape.dims)
    text += std::to_string(extent) + "x";
  return text + std::string(name(type));
}

std::string strideText(const Value &value, int rank) {
  std::string text;
  for (int d = 0; d < rank; ++d)
    if (value.stride[d])
      text += (value.stride[d] < 0 ? " - " : " + ") + std::to_string(std::abs(value.stride[d])) + "*i" +
              std::to_string(d);
  return text;
}

std::string elementsText(const Value &value, DType type, const Shape &shape) {
  std::vector<uint8_t> data(static_cast<size_t>(shape.elements) * byteSize(type));
  if (value.form == Form::View)
    copyStrided(data.data(), value.data, shape.dims.data(), value.stride, shape.rank(), byteSize(type));
  else
    copyOut(value, type, shape, 0, shape.elements, data.data());
  auto bits = [&](int64_t at) {
    uint64_t word = 0;
    std::memcpy(&word, data.data() + at * byteSize(type), byteSize(type));
    return word;
  };
  std::string text = "[";
  for (int64_t at = 0; at < std::min<int64_t>(shape.elements, 4); ++at)
    text += (at ? " " : "") + formatElement(bits(at), type);
  text += shape.elements > 4 ? " ...]" : "]";
  if (type == DType::Ptr)
    return text;
  int64_t least = -1, most = -1, nans = 0;
  for (int64_t at = 0; at < shape.elements; ++at) {
    double number = toDouble(bits(at), type);
    if (std::isnan(number)) {
      ++nans;
      continue;
    }
    if (least < 0 || number < toDouble(bits(least), type))
      least = at;
    if (most < 0 || number > toDouble(bits(most), type))
      most = at;
  }
  if (least >= 0)
    text += " " + formatElement(bits(least), type) + ".." + formatElement(bits(most), type);
  if (nans)
    text += " nan:" + std::to_string(nans);
  return text;
}

/// Control flow sets no value worth a line.
bool silent(const Instr &instr) {
  return instr.opcode == Opcode::Nop || instr.opcode == Opcode::Group || instr.opcode == Opcode::Jump ||
         instr.opcode == Opcode::RegionEnd;
}

} // namespace

std::string summarise(const Instance &s, SlotId slot) {
  const Value &value = s.values[slot];
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  std::string text = typeText(shape, type) + " ";
  switch (value.form) {
  case Form::Empty:
  case Form::Strip:
    return text + "?";
  case Form::Splat:
    return text + formatElement(value.base, type);
  case Form::Affine:
    return text + formatElement(value.base, type) + strideText(value, shape.rank());
  case Form::Box:
    for (int d = 0; d < shape.rank(); ++d)
      text += (d ? " and " : "") + std::to_string(value.box.low[d]) + " <= i" + std::to_string(d) + " < " +
              std::to_string(value.box.high[d]);
    return text;
  case Form::Dense:
  case Form::View:
    return text + elementsText(value, type, shape);
  }
  return text;
}

std::vector<std::pair<std::string, std::string>> namedValues(const Instance &s, const Instr &next) {
  std::vector<std::pair<std::string, std::string>> all;
  // Slots that are made later may hold what an earlier program left there. Of the values of one statement
  // that have the variable's name, only the last is the variable.
  std::vector<bool> unknown(s.program.slots.size(), false), seen = unknown;
  std::map<std::pair<uint32_t, int>, SlotId> made; // by name and line
  std::set<uint32_t> names;
  for (const Instr &instr : s.program.code)
    for (SlotId slot : s.program.results(instr)) {
      if (slot >= unknown.size())
        continue;
      if (!seen[slot])
        unknown[slot] = &instr >= &next;
      seen[slot] = true;
      uint32_t name = s.program.slots[slot].name;
      names.insert(name);
      auto [known, fresh] = made.try_emplace({name, s.program.position(instr).line}, slot);
      if (!fresh && name && known->second != slot)
        unknown[std::exchange(known->second, slot)] = true;
    }
  // A constant that has the name of a variable belongs to the operation that makes it (an `other`, a zero).
  for (const Constant &constant : s.program.constants)
    if (names.count(s.program.slots[constant.slot].name))
      unknown[constant.slot] = true;
  for (SlotId slot = 0; slot < s.program.slots.size(); ++slot) {
    const std::string &source = s.program.strings[s.program.slots[slot].name];
    Form form = s.values[slot].form;
    if (source.empty() || unknown[slot] || form == Form::Empty || form == Form::Strip)
      continue;
    // A name that was assigned again holds what was made last.
    auto known = std::find_if(all.begin(), all.end(), [&](const auto &each) { return each.first == source; });
    if (known != all.end())
      known->second = summarise(s, slot);
    else
      all.emplace_back(source, summarise(s, slot));
  }
  return all;
}

void Trace::before(Instance &s, const Instr &i) {
  if (s.linear != program || silent(i))
    return;
  operands.clear();
  for (unsigned n = 0; n < i.numOperands; ++n)
    if (s.has(i, n))
      operands += (operands.empty() ? "" : ", ") + summarise(s, s.operandSlot(i, n));
}

void Trace::after(Instance &s, const Instr &i) {
  if (s.linear != program || silent(i))
    return;
  std::string line = s.program.position(i).str() + ": " + std::string(info(i.op).mnemonic);
  if (!operands.empty())
    line += " (" + operands + ")";
  for (unsigned n = 0; n < i.numResults; ++n) {
    SlotId slot = s.resultSlot(i, n);
    const std::string &source = s.program.strings[s.program.slots[slot].name];
    line += (n ? ", " : " -> ") + (source.empty() ? "" : source + " = ") + summarise(s, slot);
  }
  print(line);
}

void Probe::after(Instance &s, const Instr &i) {
  if (s.linear != program || silent(i))
    return;
  for (unsigned n = 0; n < i.numResults; ++n) {
    ProbedBlock block;
    block.instr = &i;
    block.slot = s.resultSlot(i, n);
    block.type = s.type(block.slot);
    const Shape &shape = s.shape(block.slot);
    block.shape = shape.dims;
    unsigned size = byteSize(block.type);
    block.data.resize(static_cast<size_t>(shape.elements) * size);
    const Value &value = s.values[block.slot];
    if (value.form == Form::View)
      copyStrided(block.data.data(), value.data, shape.dims.data(), value.stride, shape.rank(), size);
    else
      copyOut(value, block.type, shape, 0, shape.elements, block.data.data());
    take(std::move(block));
  }
}

} // namespace trisect::interp
