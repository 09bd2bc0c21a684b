//===- Summary.cpp - values in one line -----------------------------------------------------------------===//
#include "interp/observe/Summary.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/observe/NumpyText.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace trisect::interp {

namespace {

std::string typeText(const Shape &shape, DType type) {
  std::string text(name(type));
  for (size_t d = 0; d < shape.dims.size(); ++d)
    text += (d ? "," : "[") + std::to_string(shape.dims[d]);
  return text + (shape.rank() ? "]" : "");
}

/// Least and greatest element, and how many are no numbers: of a block that is not shown as a whole.
std::string spreadText(const std::vector<uint8_t> &data, DType type) {
  unsigned size = byteSize(type);
  auto number = [&](size_t at) {
    uint64_t bits = 0;
    std::memcpy(&bits, data.data() + at, size);
    return toDouble(bits, type);
  };
  std::optional<size_t> least, most;
  int64_t nans = 0;
  for (size_t at = 0; at < data.size(); at += size) {
    if (std::isnan(number(at))) {
      ++nans;
      continue;
    }
    least = !least || number(at) < number(*least) ? at : least;
    most = !most || number(at) > number(*most) ? at : most;
  }
  std::string text;
  if (least)
    text += " from " + numpyText(data.data() + *least, {}, {type}) + " to " +
            numpyText(data.data() + *most, {}, {type});
  if (nans)
    text += (least ? ", " : " ") + std::to_string(nans) + " nan";
  return text;
}

} // namespace

std::vector<uint8_t> elementsOf(const Instance &s, SlotId slot) {
  const Value &value = s.values[slot];
  const Shape &shape = s.shape(slot);
  unsigned size = byteSize(s.type(slot));
  std::vector<uint8_t> data(static_cast<size_t>(shape.elements) * size);
  if (value.form == Form::View)
    copyStrided(data.data(), value.data, shape.dims.data(), value.stride, shape.rank(), size);
  else
    copyOut(value, s.type(slot), shape, 0, shape.elements, data.data());
  return data;
}

std::string summarise(const Instance &s, SlotId slot) {
  Form form = s.values[slot].form;
  const Shape &shape = s.shape(slot);
  DType type = s.type(slot);
  std::string text = typeText(shape, type) + " ";
  if (form == Form::Empty || form == Form::Strip)
    return text + "?";
  std::vector<uint8_t> data = elementsOf(s, slot);
  ElementStyle style{type};
  style.brief = true;
  std::string shown = numpyText(data.data(), shape.dims, style);
  bool whole = shown.find("...") == std::string::npos || type == DType::Ptr || type == DType::I1;
  return text + shown + (whole ? "" : spreadText(data, type));
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

} // namespace trisect::interp
