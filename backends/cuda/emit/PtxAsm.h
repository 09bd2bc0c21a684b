//===- PtxAsm.h - one inline PTX statement --------------------------------------------------------------===//
//
// What: collects the text, results and operands of a piece of inline PTX and emits the call.
// Limits: results come before operands; names are `$0`, `$1` ... in the order in which they were added, so
// the results are named first.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_PTXASM_H
#define TRISECT_BACKENDS_CUDA_EMIT_PTXASM_H

#include "llvm/IR/IRBuilder.h"
#include <string>

namespace trisect::cuda {

class PtxAsm {
public:
  explicit PtxAsm(llvm::IRBuilder<> &builder) : b(builder) {}

  /// Adds a result and gives its name. `early`: it is written before the operands are read.
  std::string result(llvm::Type *type, bool early = false);
  /// Adds an operand and gives its name.
  std::string operand(llvm::Value *value);
  /// Adds an address and gives it in brackets; a constant that it adds is the instruction's, so that
  /// accesses that lie apart by constants share a register.
  std::string place(llvm::Value *address);
  /// Adds an operand that must be a constant of the instruction.
  std::string constant(int64_t value);
  /// `@$n ` for a predicate, nothing for null.
  std::string guard(llvm::Value *predicate);
  /// `{$0, $1}` of names, or the only name.
  static std::string list(llvm::ArrayRef<std::string> names);

  void text(const llvm::Twine &more) { body += more.str(); }
  /// It only reads memory.
  void readsMemory() { reads = sideEffect = true; }
  /// It has effects that the values do not show.
  void touchesMemory() { memory = sideEffect = true; }
  void hasSideEffect() { sideEffect = true; }
  /// All threads of a warp or block must run it together.
  void isConvergent() { convergent = sideEffect = true; }
  /// Emits the call; gives the results.
  llvm::SmallVector<llvm::Value *, 4> emit();

private:
  static const char *registerClass(llvm::Type *type);

  llvm::IRBuilder<> &b;
  std::string body;
  llvm::SmallVector<std::string> outputs, inputs;
  llvm::SmallVector<llvm::Type *> types;
  llvm::SmallVector<llvm::Value *> values;
  bool reads = false, memory = false, sideEffect = false, convergent = false;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_PTXASM_H
