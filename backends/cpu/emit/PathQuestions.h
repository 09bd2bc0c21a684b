//===- PathQuestions.h - where a path begins, may it be taken? ------------------------------------------===//
//
// What: code that asks AssertHook::closed about a path and calls AssertHook::untried where it is closed. Why:
// a branch and a call that no program takes end two blocks, and what says whether a loop runs takes as many
// operations again; asking so took a sixth of the time to compile a softmax. For x86-64 all that is asked at
// one place is therefore one instruction of assembly. Limits: other processors get branches and calls.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_PATHQUESTIONS_H
#define TRISECT_BACKENDS_CPU_EMIT_PATHQUESTIONS_H

#include "backends/cpu/emit/Code.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace trisect::cpu {

class PathQuestions {
public:
  /// `scratch`: where the hook lies.
  PathQuestions(mlir::Value scratch, bool asAssembly) : scratch(scratch), asAssembly(asAssembly) {}

  void ask(Code c, int64_t path);
  /// Only programs where `lower` is below `upper` come to the path.
  void askIfLess(Code c, mlir::Value lower, mlir::Value upper, int64_t path);
  /// They come to the one where the flag is not 0, else to the other.
  void askByFlag(Code c, mlir::Value flag, int64_t on, int64_t off);

private:
  void call(Code c, mlir::Value number);
  mlir::Value field(Code &c, mlir::Type type, mlir::Value offset) const;

  /// Begins or goes on with the assembly at a place that takes these operands, too.
  void begin(Code &c, mlir::ValueRange needs);
  bool goesOn(mlir::OpBuilder &b, mlir::ValueRange needs) const;
  /// `$1`; the number itself of a constant that an instruction can hold.
  std::string nameOf(mlir::Value value) const;
  std::string label();
  void add(const llvm::Twine &line) { text += (line + "\n\t").str(); }
  void addQuestion(int64_t path, llvm::StringRef end);
  void write(Code &c);

  mlir::Value scratch;
  bool asAssembly;
  mlir::LLVM::InlineAsmOp last;
  std::string text; ///< of the last
  llvm::SmallVector<mlir::Value> operands;
  unsigned labels = 0;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_PATHQUESTIONS_H
