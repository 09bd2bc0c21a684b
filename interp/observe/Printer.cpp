//===- Printer.cpp - the output of one launch -----------------------------------------------------------===//
#include "interp/observe/Printer.h"
#include "core/support/PrintSink.h"

namespace trisect::interp {

void Printer::handOn(const std::string &text) {
  if (!sink)
    return printToSink(text);
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    sink(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
}

void Printer::print(int64_t program, std::string text) {
  text += '\n';
  std::lock_guard<std::mutex> guard(lock);
  if (left < 0)
    return;
  left -= static_cast<int64_t>(text.size());
  if (left < 0)
    text = "(the kernel prints more than 1 MiB; the rest is left out)\n";
  if (ordered)
    waiting[program] += text;
  else
    handOn(text);
}

void Printer::flush() {
  std::lock_guard<std::mutex> guard(lock);
  for (const auto &[program, text] : waiting)
    handOn(text);
  waiting.clear();
}

} // namespace trisect::interp
