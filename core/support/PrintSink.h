//===- PrintSink.h - where the output of kernels goes ---------------------------------------------------===//
//
// What: one function of the process that takes a piece of text, with its line ends; the host sets it (Python
// writes to sys.stdout, which notebooks and test runners catch). Limits: called from any thread, one at a
// time.
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

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_PRINTSINK_H
