//===- DebugOps.cpp - print, assert, assume -------------------------------------------------------------===//
//
// A print gives one line per element: `pid (x, y, z) idx (i, j) prefix value`, as device prints look on a
// GPU.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include "interp/exec/Format.h"
#include "interp/exec/Handlers.h"
#include "interp/exec/Observer.h"
#include <cinttypes>
#include <cstdio>

namespace trisect::interp {

namespace {

std::string coordinates(const Shape &shape, int64_t at) {
  std::vector<int64_t> index(shape.rank());
  for (int d = shape.rank() - 1; d >= 0; --d) {
    index[d] = at % shape.dims[d];
    at /= shape.dims[d];
  }
  std::string text = "(";
  for (size_t d = 0; d < index.size(); ++d) {
    std::string extent = std::to_string(shape.dims[d] - 1), number = std::to_string(index[d]);
    text +=
        (d ? ", " : "") + std::string(extent.size() - std::min(extent.size(), number.size()), ' ') + number;
  }
  return text + ")";
}

void emit(Instance &s, const std::string &line) {
  if (s.print) {
    (*s.print)(line);
    return;
  }
  std::string whole = line + "\n";
  std::fwrite(whole.data(), 1, whole.size(), stdout);
}

} // namespace

void print(Instance &s, const Instr &i) {
  const Extra &extra = s.program.extra(i);
  bool hex = !extra.ints.empty() && extra.ints[0];
  std::string where = "pid (" + std::to_string(s.id[0]) + ", " + std::to_string(s.id[1]) + ", " +
                      std::to_string(s.id[2]) + ") idx ";
  if (i.numOperands == 0)
    emit(s, where + "()" + extra.text);
  for (unsigned n = 0; n < i.numOperands; ++n) {
    SlotId slot = s.operandSlot(i, n);
    const Shape &shape = s.shape(slot);
    bool isSigned = extra.ints.size() <= n + 1 || extra.ints[n + 1];
    Value keep;
    const char *data = denseOperand(s, i, n, keep);
    unsigned size = byteSize(s.type(slot));
    for (int64_t at = 0; at < shape.elements; ++at) {
      uint64_t bits = 0;
      std::memcpy(&bits, data + at * size, size);
      std::string operand = i.numOperands > 1 ? "(operand " + std::to_string(n) + ") " : "";
      emit(s, where + coordinates(shape, at) + extra.text + operand +
                  formatElement(bits, s.type(slot), hex, isSigned));
    }
  }
}

void checkAssert(Instance &s, const Instr &i) {
  const Value &condition = s.operand(i, 0);
  if (condition.isTrue())
    return;
  SlotId slot = s.operandSlot(i, 0);
  const Shape &shape = s.shape(slot);
  int64_t failed = 0;
  if (!condition.isSplat()) {
    Value keep;
    const char *data = denseOperand(s, i, 0, keep);
    unsigned size = byteSize(s.type(slot));
    auto holds = [&](int64_t lane) {
      uint64_t bits = 0;
      std::memcpy(&bits, data + lane * size, size);
      return bits != 0;
    };
    while (failed < shape.elements && holds(failed))
      ++failed;
    if (failed == shape.elements)
      return;
  } else if (condition.base != 0) {
    return;
  }
  const std::string &text = s.program.extra(i).text;
  std::vector<std::pair<std::string, std::string>> details = {{"message", text}};
  std::string headline = "assertion failed" + (text.empty() ? "" : ": " + text);
  if (shape.rank()) {
    std::string element = coordinates(shape, failed);
    headline += " at element " + element;
    details.emplace_back("index", element);
  }
  raise(s, i, FaultKind::Assert, headline, std::move(details));
}

void assume(Instance &, const Instr &) {}

void statement(Instance &s, const Instr &i) {
  if (s.statements && s.statements->reached(s, static_cast<uint32_t>(i.attribute)))
    s.stop = Stop::Break;
}

} // namespace trisect::interp
