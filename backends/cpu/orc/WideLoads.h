//===- WideLoads.h - what loops do with memory and with vectors -----------------------------------------===//
//
// What: tells loads of whole 64-byte registers from other instructions, and arithmetic on vectors from what
// only moves or names them. Why: code that waits for memory alone is made in another way than code that
// computes (HalvedLoads, HalvedRegisters).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_WIDELOADS_H
#define TRISECT_BACKENDS_CPU_ORC_WIDELOADS_H

#include "llvm/IR/Instructions.h"

namespace trisect::cpu {

/// Half of the widest register, in bytes.
constexpr unsigned halfBytes = 32;

/// A plain load of whole registers of the launch's memory.
bool isWideLoad(const llvm::Instruction &instruction);
/// A store of a vector to the launch's memory.
bool isVectorStore(const llvm::Instruction &instruction);
/// Whether an instruction computes with vectors, rather than moving or naming them.
bool computes(const llvm::Instruction &instruction);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_WIDELOADS_H
