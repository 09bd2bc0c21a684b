//===- AsmBlock.h - inline assembly over blocks in memory -----------------------------------------------===//
//
// What: runs the parsed text of an inline assembly instruction over its operands as row-major elements. Why:
// the handler runs it once, shadow mode again with other bits in the elements that are undefined.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_OPS_ASMBLOCK_H
#define TRISECT_INTERP_OPS_ASMBLOCK_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

/// `inputs`: by operand, `outputs`: by result, each with the elements of the instruction's results.
void runAsm(const Instance &instance, const Instr &instr, const std::vector<const char *> &inputs,
            const std::vector<char *> &outputs);

} // namespace trisect::interp

#endif // TRISECT_INTERP_OPS_ASMBLOCK_H
