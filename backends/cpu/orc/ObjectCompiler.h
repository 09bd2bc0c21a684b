//===- ObjectCompiler.h - LLVM IR to a relocatable object -----------------------------------------------===//
//
// What: runs the short LLVM pipeline of tier 1 over a module and generates code into memory.
// Why: the object is what is cached and what the loader links; O2 and O3 double the compile time and gain
// nothing on code that is already vectorised.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_ORC_OBJECTCOMPILER_H
#define TRISECT_BACKENDS_CPU_ORC_OBJECTCOMPILER_H

#include <string>

namespace llvm {
class Module;
}

namespace trisect::cpu {

struct Machine;

/// Optimises `module` for a machine, in place.
void optimize(llvm::Module &module, const Machine &machine);
/// Generates an object; throws EngineError if LLVM refuses.
std::string compileToObject(llvm::Module &module, const Machine &machine);
/// Generates assembly text.
std::string compileToAssembly(llvm::Module &module, const Machine &machine);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_ORC_OBJECTCOMPILER_H
