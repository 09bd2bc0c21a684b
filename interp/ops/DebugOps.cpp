//===- DebugOps.cpp - print, assert, assume -------------------------------------------------------------===//
//
// A print is the program id, its text, and blocks as NumPy shows them.
//
//===----------------------------------------------------------------------------------------------------===//
#include "interp/exec/Fault.h"
#include "interp/exec/Fetch.h"
#include "interp/exec/Observer.h"
#include "interp/exec/Rider.h"
#include "interp/observe/NumpyText.h"
#include "interp/observe/Printer.h"
#include "interp/ops/Handlers.h"

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

/// Operand `n` as text.
std::string operandText(Instance &s, const Instr &i, unsigned n, bool hex) {
  const Extra &extra = s.program.extra(i);
  SlotId slot = s.operandSlot(i, n);
  Value keep;
  const char *data = denseOperand(s, i, n, keep);
  bool isSigned = extra.ints.size() <= n + 1 || extra.ints[n + 1];
  return numpyText(data, s.shape(slot).dims, {s.type(slot), isSigned, hex});
}

/// A text with places `{}` and `{x}` for the operands; doubled braces stand for themselves.
std::string formatted(Instance &s, const Instr &i, bool hex) {
  const std::string &format = s.program.extra(i).text;
  std::string text;
  unsigned next = 0;
  for (size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '{' && format[at] != '}') {
      text += format[at];
    } else if (at + 1 < format.size() && format[at + 1] == format[at]) {
      text += format[at++];
    } else {
      size_t end = format.find('}', at);
      bool bits = end != std::string::npos && end > at + 1;
      if (next < i.numOperands)
        text += operandText(s, i, next++, hex || bits);
      at = end == std::string::npos ? format.size() : end;
    }
  }
  return text;
}

} // namespace

void print(Instance &s, const Instr &i) {
  if (!s.printer)
    return;
  const Extra &extra = s.program.extra(i);
  bool hex = !extra.ints.empty() && extra.ints[0];
  std::string text = "pid (" + std::to_string(s.id[0]) + ", " + std::to_string(s.id[1]) + ", " +
                     std::to_string(s.id[2]) + ")";
  if (!extra.more.empty()) {
    text += " " + formatted(s, i, hex);
  } else {
    text += extra.text.empty() ? " " : extra.text;
    for (unsigned n = 0; n < i.numOperands; ++n) {
      std::string value = operandText(s, i, n, hex);
      // A block of several lines starts on one of its own, so that its columns line up.
      bool lines = value.find('\n') != std::string::npos;
      text += (lines ? "\n" : n ? " " : "") + value;
    }
  }
  s.printer->print(s.linear, std::move(text));
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
  if (i.attribute) {
    // A sanitizer follows what is undefined to where it decides; a negative side is defined.
    if (i.attribute == AssertsSide || !s.rider || !s.rider->tells(FaultKind::UndefinedValue))
      raise(s, i, FaultKind::UndefinedValue, text, {});
    return;
  }
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
