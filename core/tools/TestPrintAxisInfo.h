//===- TestPrintAxisInfo.h - axis facts as remarks ------------------------------------------------------===//
//
// What: the pass -test-print-axis-info of trisect-opt.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_TOOLS_TESTPRINTAXISINFO_H
#define TRISECT_CORE_TOOLS_TESTPRINTAXISINFO_H

namespace trisect::tt {

void registerTestPrintAxisInfo();

} // namespace trisect::tt

#endif // TRISECT_CORE_TOOLS_TESTPRINTAXISINFO_H
