//===- PrintSink.h - where the output of kernels goes ---------------------------------------------------===//
//
// What: one function of the process that takes a piece of text, with its line ends; the host sets it (Python
// writes to sys.stdout, which notebooks and test runners catch); launches made to compare print nothing,
// since the launch that is compared does. Limits: called from any thread, one at a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_PRINTSINK_H
#define TRISECT_CORE_SUPPORT_PRINTSINK_H

#include <string_view>

namespace trisect {

using PrintSink = void (*)(std::string_view text);

/// Null: standard output.
void setPrintSink(PrintSink sink);
void printToSink(std::string_view text);

/// While one exists on a thread, compiled launches of that thread print nothing.
class MutedPrints {
public:
  MutedPrints();
  ~MutedPrints();
  MutedPrints(const MutedPrints &) = delete;
  MutedPrints &operator=(const MutedPrints &) = delete;
  static bool active();
};

/// Undoes that while it exists: for a launch that somebody makes while a muted one asks the host.
class HeardPrints {
public:
  HeardPrints();
  ~HeardPrints();
  HeardPrints(const HeardPrints &) = delete;
  HeardPrints &operator=(const HeardPrints &) = delete;

private:
  int before;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_PRINTSINK_H
