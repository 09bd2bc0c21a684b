//===- AsmEmitter.h - PTX value instructions as code ----------------------------------------------------===//
//
// What: emits the instructions of a parsed inline assembly (core/ptx) for one group of packed elements; every
// register is a 64-bit scalar. Limits: value instructions; one that is not known is refused by its text.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_ASMEMITTER_H
#define TRISECT_BACKENDS_CPU_EMIT_ASMEMITTER_H

#include "backends/cpu/emit/Code.h"
#include "backends/cpu/emit/Types.h"
#include "core/ptx/AsmTypes.h"
#include "core/support/DType.h"
#include "core/support/OpTable.h"

namespace trisect::cpu {

class AsmEmitter {
public:
  AsmEmitter(Code code, const AsmProgram &program);

  void set(unsigned reg, mlir::Value bits) { registers[reg] = code.zext(bits, code.i64()); }
  mlir::Value get(unsigned reg) const { return registers[reg]; }
  /// Empty, or the text of the first instruction that is not known.
  std::string run();

private:
  bool emit(const AsmInstr &instr);
  bool integerOp(const AsmInstr &instr, const std::string &type);
  mlir::Value plainOp(const AsmInstr &instr, mlir::Value a, mlir::Value b, bool isSigned);
  mlir::Value fieldOp(const AsmInstr &instr, mlir::Value a, mlir::Value b, bool isSigned);
  mlir::Value dotOfBytes(const AsmInstr &instr, mlir::Value a, mlir::Value b, mlir::Value c, bool isSigned);
  mlir::Value bitsOp(const AsmInstr &instr, mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value product(const AsmInstr &instr, unsigned bytes, bool isSigned);
  mlir::Value shifted(const AsmInstr &instr, mlir::Value a, bool isSigned);
  bool compare(const AsmInstr &instr);
  // AsmFloats.cpp
  bool floatOp(const AsmInstr &instr, const std::string &type);
  bool convert(const AsmInstr &instr);
  void convertSmall(const AsmInstr &instr);
  void convertToTf32(const AsmInstr &instr);
  void convertPair(const AsmInstr &instr, DType to, Rounding rounding, bool relu);

  mlir::Value read(const AsmOperand &operand);
  /// The low bytes of an operand in an integer of that width; `{a, b}` as one number.
  mlir::Value read(const AsmOperand &operand, unsigned bytes);
  mlir::Value whole(mlir::Value bits, unsigned bytes) { return code.trunc(bits, type(bytes)); }
  mlir::Type type(unsigned bytes) { return code.b.getIntegerType(8 * bytes); }
  void write(const AsmOperand &operand, mlir::Value bits, unsigned bytes);
  void writeRegister(unsigned reg, mlir::Value bits);

  Code code;
  const AsmProgram &program;
  llvm::SmallVector<mlir::Value> registers;
  mlir::Value guard; ///< of the instruction that is being emitted
};

/// A float of that type from its bits, in the type that it is computed in.
mlir::Value toCompute(Code &code, mlir::Value bits, DType type);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_ASMEMITTER_H
