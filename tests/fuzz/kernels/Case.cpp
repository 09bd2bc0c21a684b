//===- Case.cpp - to text and back ----------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Case.h"
#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include <algorithm>

namespace trisect::fuzz {

std::string Case::text() const {
  std::string text = "// grid: " + std::to_string(grid.x) + "," + std::to_string(grid.y) + "\n// args: ";
  for (size_t n = 0; n < arguments.size(); ++n)
    text += (n ? "; " : "") + arguments[n];
  return text + "\n" + module;
}

Case Case::read(std::string_view text) {
  Case read;
  auto field = [&](std::string_view name) {
    size_t at = text.find(name);
    if (at == std::string_view::npos)
      throw InvalidInput("a kernel of the fuzzer lacks a line that begins with '" + std::string(name) + "'");
    at += name.size();
    return std::string(trim(text.substr(at, text.find('\n', at) - at)));
  };
  std::string grid = field("// grid:");
  size_t comma = std::min(grid.find(','), grid.size());
  auto extent = [](std::string_view word) {
    return static_cast<int32_t>(wholeNumber(word, "an extent of the grid", 0, INT32_MAX));
  };
  read.grid.x = extent(std::string_view(grid).substr(0, comma));
  if (comma < grid.size())
    read.grid.y = extent(std::string_view(grid).substr(comma + 1));
  std::string arguments = field("// args:");
  for (std::string_view word : splitOutside(arguments, ';'))
    if (!trim(word).empty())
      read.arguments.emplace_back(trim(word));
  read.module = std::string(text);
  return read;
}

} // namespace trisect::fuzz
