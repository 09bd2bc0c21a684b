//===- Repetition.cpp - comparing passes ----------------------------------------------------------------===//
#include "interp/exec/Repetition.h"
#include "interp/exec/Instance.h"
#include <algorithm>
#include <cstring>

namespace trisect::interp {

namespace {

bool same(const Value &a, const Value &b, int64_t bytes) {
  if (a.form != b.form)
    return false;
  switch (a.form) {
  case Form::Empty:
    return true;
  case Form::Splat:
    return a.base == b.base;
  case Form::Affine:
    return a.base == b.base && std::equal(a.stride, a.stride + maxSymbolicRank, b.stride);
  case Form::Box:
    return std::memcmp(&a.box, &b.box, sizeof(a.box)) == 0;
  case Form::Dense:
    return a.data == b.data || std::memcmp(a.data, b.data, static_cast<size_t>(bytes)) == 0;
  case Form::View:
    return a.data == b.data && std::equal(a.stride, a.stride + maxSymbolicRank, b.stride);
  case Form::Strip:
    break;
  }
  return false;
}

} // namespace

bool Repetition::sameValues(const Instance &s) {
  auto differs = [&](SlotId slot) {
    int64_t bytes = s.program.elements(slot) * byteSize(s.type(slot));
    return !same(values[slot], s.values[slot], bytes);
  };
  if (differs(witness))
    return false;
  for (SlotId slot = 0; slot < values.size(); ++slot)
    if (differs(slot)) {
      witness = slot;
      return false;
    }
  return true;
}

bool Repetition::pass(const Instance &s, uint32_t jump) {
  if (found(s))
    return true;
  repeats = !values.empty() && jump == at && writes == s.writes && sameValues(s);
  if (repeats)
    return true;
  if (++passes < renewal)
    return false;
  values = s.values;
  at = jump;
  writes = s.writes;
  passes = 0;
  renewal *= 2;
  return false;
}

bool Repetition::found(const Instance &s) const { return repeats && writes == s.writes; }

void Repetition::memoryIs(uint64_t count) {
  if (memory != count)
    forget();
  memory = count;
}

void Repetition::forget() {
  values.clear();
  repeats = false;
  passes = 0;
  renewal = 1;
}

} // namespace trisect::interp
