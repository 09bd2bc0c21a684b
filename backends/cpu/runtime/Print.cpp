//===- Print.cpp - tt.print in compiled code ------------------------------------------------------------===//
#include "backends/cpu/runtime/Print.h"
#include "core/support/MemoryGuard.h"
#include "core/support/PrintSink.h"
#include <charconv>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>
#include <string>
#include <vector>

namespace trisect::cpu {

namespace {
struct Operand {
  char kind = 's';
  unsigned bits = 32;
  bool hex = false;
  std::vector<int64_t> extents;
};

Operand parse(const std::string &line) {
  std::istringstream words(line);
  Operand operand;
  int hex = 0;
  words >> operand.kind >> operand.bits >> hex;
  operand.hex = hex != 0;
  for (int64_t extent; words >> extent;)
    operand.extents.push_back(extent);
  return operand;
}

std::string textOf(const Operand &operand, const void *elements, int64_t at) {
  unsigned bytes = (operand.bits + 7) / 8;
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char *>(elements) + at * bytes, bytes);
  char text[64];
  std::to_chars_result end{};
  if (operand.hex) {
    end = std::to_chars(text, text + sizeof text, bits, 16);
    std::string digits(text, end.ptr);
    return "0x" + std::string(2 * bytes > digits.size() ? 2 * bytes - digits.size() : 0, '0') + digits;
  }
  if (operand.kind == 'f' && bytes == 4) {
    float number;
    std::memcpy(&number, &bits, 4);
    end = std::to_chars(text, text + sizeof text, number);
  } else if (operand.kind == 'f') {
    double number;
    std::memcpy(&number, &bits, 8);
    end = std::to_chars(text, text + sizeof text, number);
  } else if (operand.kind == 's') {
    unsigned unused = 64 - 8 * bytes;
    end = std::to_chars(text, text + sizeof text, static_cast<int64_t>(bits << unused) >> unused);
  } else {
    end = std::to_chars(text, text + sizeof text, bits);
  }
  return {text, end.ptr};
}

std::string indexOf(const Operand &operand, int64_t at) {
  std::vector<int64_t> index(operand.extents.size());
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = at % operand.extents[d];
    at /= operand.extents[d];
  }
  std::string text = " idx (";
  for (size_t d = 0; d < index.size(); ++d)
    text += (d ? ", " : "") + std::to_string(index[d]);
  return text + ")";
}
} // namespace

static void print(std::atomic<int64_t> *left, const char *description, const int32_t *program,
                  const void *const *operands) {
  std::istringstream lines(description);
  std::string prefix, line, text;
  std::getline(lines, prefix);
  std::string head = "pid (" + std::to_string(program[0]) + ", " + std::to_string(program[1]) + ", " +
                     std::to_string(program[2]) + ")";
  std::vector<Operand> all;
  while (std::getline(lines, line))
    all.push_back(parse(line));
  if (all.empty())
    text = head + prefix + "\n";
  for (size_t n = 0; n < all.size(); ++n) {
    int64_t count = 1;
    for (int64_t extent : all[n].extents)
      count *= extent;
    std::string which = all.size() > 1 ? "(operand " + std::to_string(n) + ") " : "";
    for (int64_t at = 0; at < count && static_cast<int64_t>(text.size()) <= printBudget; ++at)
      text += head + (all[n].extents.empty() ? "" : indexOf(all[n], at)) + prefix + which +
              textOf(all[n], operands[n], at) + "\n";
  }
  int64_t before = left->fetch_sub(static_cast<int64_t>(text.size()));
  if (before < 0)
    return;
  if (before < static_cast<int64_t>(text.size()))
    text = "(the kernel prints more than 1 MiB; the rest is left out)\n";
  printToSink(text);
}

int64_t printAllowance() { return MutedPrints::active() ? -1 : printBudget; }

// No exception may pass the frames of compiled code.
void printOperands(std::atomic<int64_t> *left, const char *description, const int32_t *program,
                   const void *const *operands) noexcept {
  if (left->load(std::memory_order_relaxed) < 0)
    return;
  UnleavableWork whole;
  try {
    print(left, description, program, operands);
  } catch (const std::bad_alloc &) {
    std::fputs("(no memory is left to print what the kernel prints)\n", stderr);
  }
}

} // namespace trisect::cpu
