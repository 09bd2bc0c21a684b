//===- Support.h - what of core/support the extension calls ---------------------------------------------===//
//
// What: functions of core/support/*.cpp, exported; its headers alone need nothing. And which code generators
// of LLVM are linked in.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_FACADE_SUPPORT_H
#define TRISECT_PYTHON_BINDINGS_FACADE_SUPPORT_H

#include "core/support/DType.h"
#include "core/support/Outcome.h"
#include "python/bindings/facade/Api.h"
#include <string>
#include <string_view>
#include <vector>

namespace trisect::facade {

TRISECT_API std::string kindName(const KernelFault &fault);
/// Asked on the launching thread while a launch runs: true ends it with Interrupted.
TRISECT_API void setStopQuestion(bool (*question)());
/// Takes what kernels print; any thread may call it, one at a time.
TRISECT_API void setPrintSink(void (*sink)(std::string_view text));
/// Before the process ends (core/support/ForkGate): what compiles is waited for, nothing else begins.
TRISECT_API void endForkSections() noexcept;
TRISECT_API unsigned byteSize(DType type);
TRISECT_API unsigned bitWidth(DType type);
TRISECT_API std::string typeName(DType type);
TRISECT_API std::vector<std::string> codeGenerators();

} // namespace trisect::facade

#endif // TRISECT_PYTHON_BINDINGS_FACADE_SUPPORT_H
