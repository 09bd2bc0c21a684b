//===- Report.h - a bundle for people and programs ------------------------------------------------------===//
#ifndef TRISECT_JIT_BUNDLE_REPORT_H
#define TRISECT_JIT_BUNDLE_REPORT_H

#include "jit/bundle/Bundle.h"
#include <string>

namespace trisect::jit {

std::string reportJson(const Bundle &bundle);
std::string reportText(const Bundle &bundle);

} // namespace trisect::jit

#endif // TRISECT_JIT_BUNDLE_REPORT_H
