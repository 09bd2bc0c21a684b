//===- CorpusDemands.h - arguments that asserts ask for -------------------------------------------------===//
//
// What: where a kernel asserts or assumes that an integer argument equals a value made of others, gives the
// argument that value. Why: kernels that check their shapes would end before they did anything. Limits: sums,
// differences and products of parameters and constants; equality alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_CORPUSDEMANDS_H
#define TRISECT_INTERP_TOOLS_CORPUSDEMANDS_H

#include "interp/program/Program.h"

namespace trisect::tools {

/// `numbers`: by parameter; what stands for one that is no integer is not looked at.
void meetDemands(const interp::Program &program, std::vector<int64_t> &numbers);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_CORPUSDEMANDS_H
