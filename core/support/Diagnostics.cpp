//===- Diagnostics.cpp - rendering of messages ----------------------------------------------------------===//
#include "core/support/Diagnostics.h"
#include "core/support/Options.h"
#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace trisect {

namespace {
constexpr std::string_view bold = "\033[1m", reset = "\033[0m", caretColour = "\033[1;32m";
/// Longer lines are cut around the caret.
constexpr size_t widestExcerpt = 160;
/// Bytes of the longest UTF-8 sequence; text need not be UTF-8.
constexpr int longestSequence = 4;

std::string_view severityColour(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "\033[1;31m";
  case Severity::Warning:
    return "\033[1;35m";
  case Severity::Remark:
    return "\033[1;34m";
  case Severity::Note:
    return "\033[1;36m";
  }
  return {};
}

std::string painted(std::string_view text, std::string_view colour, bool on) {
  if (!on)
    return std::string(text);
  return std::string(colour).append(text).append(reset);
}

bool isContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::optional<std::string> lineOfText(std::string_view text, int wanted) {
  for (int line = 1; line < wanted; ++line) {
    size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return std::nullopt;
    text.remove_prefix(end + 1);
  }
  return std::string(text.substr(0, text.find('\n')));
}

std::optional<std::string> lineOfFile(const std::string &file, int wanted) {
  std::ifstream stream(file);
  std::string line;
  for (int i = 0; i < wanted; ++i)
    if (!std::getline(stream, line))
      return std::nullopt;
  return line;
}

/// Control characters would move the caret or the terminal.
void flatten(std::string &line) {
  while (!line.empty() && line.back() == '\r')
    line.pop_back();
  for (char &c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      c = ' ';
}

/// Cuts a long line to a window around [begin, end), which is moved with it.
void narrow(std::string &line, size_t &begin, size_t &end) {
  if (line.size() <= widestExcerpt)
    return;
  size_t start = begin > widestExcerpt / 2 ? begin - widestExcerpt / 2 : 0;
  for (int i = 0; i < longestSequence && start > 0 && isContinuationByte(line[start]); ++i)
    --start;
  size_t stop = std::min(line.size(), start + widestExcerpt);
  for (int i = 0; i < longestSequence && stop < line.size() && isContinuationByte(line[stop]); ++i)
    ++stop;
  bool cutAfter = stop < line.size();
  line = line.substr(start, stop - start);
  begin -= start, end = std::min(end - start, line.size());
  if (cutAfter)
    line += "...";
  if (start > 0) {
    line.insert(0, "...");
    begin += 3, end += 3;
  }
}
} // namespace

std::string_view severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Remark:
    return "remark";
  case Severity::Note:
    return "note";
  }
  return "error";
}

std::string excerpt(const SourcePosition &position, int length, SourceText source, bool colour) {
  if (!position.known())
    return {};
  std::optional<std::string> line = !source.text.empty() && source.file == position.file
                                        ? lineOfText(source.text, position.line)
                                        : lineOfFile(position.file, position.line);
  if (!line)
    return {};
  flatten(*line);
  if (position.column < 1)
    return "  " + *line + "\n";
  size_t begin = std::min<size_t>(position.column - 1, line->size());
  size_t end = std::min<size_t>(begin + std::max(length, 1), std::max(line->size(), begin + 1));
  narrow(*line, begin, end);
  auto cells = [&](size_t from, size_t to) {
    size_t stop = std::min(to, line->size());
    size_t hidden =
        std::count_if(line->begin() + std::min(from, stop), line->begin() + stop, isContinuationByte);
    return to - from - hidden;
  };
  std::string marker = "^" + std::string(std::max<size_t>(cells(begin, end), 1) - 1, '~');
  return "  " + *line + "\n  " + std::string(cells(0, begin), ' ') + painted(marker, caretColour, colour) +
         "\n";
}

std::string render(const Diagnostic &diagnostic, SourceText source, bool colour) {
  std::string text;
  if (diagnostic.position.known())
    text = painted(diagnostic.position.str() + ":", bold, colour) + " ";
  text += painted(std::string(severityName(diagnostic.severity)) + ":", severityColour(diagnostic.severity),
                  colour);
  text += " " + painted(diagnostic.message, bold, colour) + "\n";
  text += excerpt(diagnostic.position, diagnostic.length, source, colour);
  for (const Diagnostic &note : diagnostic.notes)
    text += render(note, source, colour);
  return text;
}

bool wantsColour(int fileDescriptor) {
  std::string terminal = optionText(OptionId::Terminal);
  return optionText(OptionId::NoColour).empty() && isatty(fileDescriptor) && !terminal.empty() &&
         terminal != "dumb";
}

} // namespace trisect
