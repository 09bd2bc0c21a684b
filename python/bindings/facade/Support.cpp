//===- Support.cpp - core/support, exported -------------------------------------------------------------===//
#include "python/bindings/facade/Support.h"
#include "backends/common/CodeGenerators.h"
#include "core/support/ForkGate.h"
#include "core/support/LaunchWatch.h"
#include "core/support/PrintSink.h"

namespace trisect::facade {

std::string kindName(const KernelFault &fault) { return std::string(faultKindName(fault.fault().kind)); }
void setStopQuestion(bool (*question)()) { trisect::setStopQuestion(question); }
void setPrintSink(void (*sink)(std::string_view text)) { trisect::setPrintSink(sink); }
void endForkSections() noexcept { trisect::endForkSections(); }
unsigned byteSize(DType type) { return trisect::byteSize(type); }
unsigned bitWidth(DType type) { return trisect::bitWidth(type); }
std::string typeName(DType type) { return std::string(name(type)); }
std::vector<std::string> codeGenerators() { return trisect::codeGenerators(); }

} // namespace trisect::facade
