//===- Printer.h - the output of one launch -------------------------------------------------------------===//
//
// What: takes what programs print, whole prints at a time, and hands it on: as it comes, or in ascending
// order of programs when the order of a launch is fixed by a seed. Limits: a launch prints at most 1 MiB, as
// on a GPU; a last line says that there was more.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OBSERVE_PRINTER_H
#define TRISECT_INTERP_OBSERVE_PRINTER_H

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace trisect::interp {

class Printer {
public:
  /// Without a sink output goes to the process (core/support/PrintSink.h).
  using Sink = std::function<void(std::string_view line)>;
  Printer(const Sink &sink, bool ordered, int64_t budget = int64_t(1) << 20)
      : sink(sink), ordered(ordered), left(budget) {}

  /// One print of a program; the text may have several lines.
  void print(int64_t program, std::string text);
  /// Hands on what waits for its turn.
  void flush();

private:
  void handOn(const std::string &text);

  const Sink &sink;
  bool ordered;
  std::mutex lock;
  std::map<int64_t, std::string> waiting; ///< by program
  int64_t left;                           ///< bytes
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_OBSERVE_PRINTER_H
