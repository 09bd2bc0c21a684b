//===- SignalingNans.h - choices that Arm would make another way ----------------------------------------===//
//
// What: keeps a choice of the smaller or larger of a value and a constant a comparison and a choice. Why:
// LLVM makes one instruction of it where a NaN shall give the constant, and Arm's gives a signaling NaN back,
// made quiet. x86-64 has no such instruction. Limits: what LLVM itself takes for a constant.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_SIGNALINGNANS_H
#define TRISECT_BACKENDS_CPU_ORC_SIGNALINGNANS_H

namespace llvm {
class Module;
}

namespace trisect::cpu {

/// The last of all passes: another one might undo it. Does nothing to a module for other processors.
void keepSignalingNans(llvm::Module &module);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_SIGNALINGNANS_H
