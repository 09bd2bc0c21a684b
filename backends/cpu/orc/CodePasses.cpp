//===- CodePasses.cpp - which passes of code generation are left out ------------------------------------===//
#include "backends/cpu/orc/CodePasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Pass.h"

namespace trisect::cpu {

namespace {
constexpr llvm::StringLiteral leftOut[] = {
    // Takes the unknown size of a masked load for a number, and ends the process, where its value is stored
    // as it is.
    "X86 Avoid Store Forwarding Blocks",
    // Gives each address of a loop a counter of its own, many of which then lie on the stack: it took a fifth
    // of the time to compile, and made no kernel faster. The other only works for it.
    "Loop Strength Reduction",
    "Canonicalize Freeze Instructions in Loops",
    // Orders what a processor with hundreds of instructions in flight orders itself.
    "Post RA top-down list latency scheduler",
    // Moves chains of bits from registers of numbers to those of masks; kernels have no such chains.
    "X86 Domain Reassignment Pass",
    // Looks for choices in loops of numbers that were better branches, at 1.3 % of the time to compile a
    // product, for its own analyses of all loops. What a kernel chooses by in a loop is in vectors.
    "X86 cmov Conversion",
    // Gives large constants that are used twice a register, across all of a kernel.
    "Constant Hoisting",
    // Orders sums anew where that makes them shorter: those of floats must stay as they are.
    "Machine InstCombiner",
    // Kernels have nothing that it lowers.
    "Lower constant intrinsics",
    // What does not change in loops was moved out before; this also moves out constants, each into a register
    // then, which as an operand in memory cost nothing. A tenth of the time to compile a product.
    "Early Machine Loop Invariant Code Motion",
    // What is computed twice was found before. Of 110 kernels of all kinds these two made none shorter by
    // more than a few instructions.
    "Machine Common Subexpression Elimination",
    "Machine Copy Propagation Pass",
};

// Where there are 32 registers of vectors, none is missing in the order that code is emitted in.
constexpr llvm::StringLiteral ordersForFewRegisters = "Machine Instruction Scheduler";
} // namespace

void CodePasses::add(llvm::Pass *pass) {
  llvm::StringRef name = pass->getPassName();
  if (llvm::is_contained(leftOut, name) || (manyRegisters && name == ordersForFewRegisters))
    delete pass;
  else
    PassManager::add(pass);
}

} // namespace trisect::cpu
