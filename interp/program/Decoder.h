//===- Decoder.h - the state of decoding one kernel -----------------------------------------------------===//
//
// What: slots of MLIR values, emission of instructions, labels, locations; the visitors are spread over
// Decode*.cpp by theme.
// Limits: private to interp/program.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_PROGRAM_DECODER_H
#define TRISECT_INTERP_PROGRAM_DECODER_H

#include "interp/program/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <map>

namespace trisect::interp {

/// A value's slots: one, or several for block pointers and descriptors.
using Slots = llvm::SmallVector<SlotId, 1>;

class Decoder {
public:
  Decoder(mlir::ModuleOp module, Program &program, bool statements);
  void run(mlir::FunctionOpInterface kernel);

private:
  struct Label {
    uint32_t target = ~0u;
  };

  // Slots.
  SlotId newSlot(DType type, llvm::ArrayRef<int64_t> dims = {});
  Slots newSlots(mlir::Type type, mlir::Operation *context);
  const Slots &slots(mlir::Value value);
  SlotId slot(mlir::Value value) { return slots(value).front(); }
  void bind(mlir::Value value, Slots to);
  /// Fresh slots for a result.
  const Slots &define(mlir::Value value);
  /// Of what a loop carries, with the name of its next value if it has none: text of modules says none.
  const Slots &defineCarried(mlir::Value argument, mlir::Value next);
  SlotId constantSlot(DType type, uint64_t bits);
  uint32_t shapeId(llvm::ArrayRef<int64_t> dims);
  DType dtype(mlir::Type type, mlir::Operation *context);

  // Emission.
  uint32_t emit(Opcode opcode, llvm::ArrayRef<SlotId> operands, llvm::ArrayRef<SlotId> results);
  Instr &last() { return program.code.back(); }
  Extra &newExtra(Instr &instr);
  void emitMove(llvm::ArrayRef<SlotId> from, llvm::ArrayRef<SlotId> to, uint8_t flags = 0);
  void emitJump(unsigned label);
  uint32_t here() const { return static_cast<uint32_t>(program.code.size()); }
  unsigned newLabel();
  void place(unsigned label) { labels[label].target = here(); }
  void jumpsTo(uint32_t instr, unsigned label) { patches.emplace_back(instr, label); }

  // Positions and names.
  uint32_t location(mlir::Location loc, uint32_t caller);
  uint32_t string(llvm::StringRef text);
  void name(mlir::Value value, mlir::Location loc);
  [[noreturn]] void unsupported(mlir::Operation *op, const std::string &what);
  [[noreturn]] void invalid(mlir::Operation *op, const std::string &what);
  int64_t intAttr(mlir::Operation *op, llvm::StringRef attribute, int64_t fallback = 0);

  // Visitors.
  void body(mlir::Region &region, llvm::ArrayRef<SlotId> results, unsigned end);
  void block(mlir::Block &block);
  void operation(mlir::Operation *op);
  void parameters(mlir::FunctionOpInterface kernel);
  // DecodeValue.cpp
  void constant(mlir::Operation *op);
  /// Keeps the promises that the operation's attributes make of its result.
  void hints(mlir::Operation *op);
  /// Keeps those that are made of arguments, each in a slot of its own from here on.
  void hints(llvm::ArrayRef<mlir::BlockArgument> arguments);
  void elementwise(mlir::Operation *op, OpId id);
  void shape(mlir::Operation *op, OpId id);
  void simple(mlir::Operation *op, Opcode opcode, uint64_t attribute = 0);
  void dot(mlir::Operation *op);
  void dotScaled(mlir::Operation *op);
  void debug(mlir::Operation *op, OpId id);
  // DecodeAssembly.cpp
  void inlineAsm(mlir::Operation *op);
  // DecodeStatement.cpp
  void statement(mlir::Operation *op, mlir::DictionaryAttr facts);
  // DecodeMemory.cpp
  void memory(mlir::Operation *op, OpId id);
  void tileAccess(mlir::Operation *op, mlir::Value pointer, Opcode opcode);
  void atomic(mlir::Operation *op, OpId id);
  void descriptor(mlir::Operation *op, OpId id);
  void descriptorKind(mlir::Operation *op, mlir::Type descriptor);
  void atomicKernel(OpId id, DType type);
  // DecodeControl.cpp
  void control(mlir::Operation *op, OpId id);
  void forLoop(mlir::Operation *op);
  void whileLoop(mlir::Operation *op);
  void conditional(mlir::Operation *op);
  void call(mlir::Operation *op);
  void yieldTo(mlir::Operation *terminator, llvm::ArrayRef<SlotId> to, uint8_t flags = 0);
  Slots gather(mlir::OperandRange values);
  /// reduce, scan, map.
  void regionOp(mlir::Operation *op, Opcode opcode, uint64_t attribute);
  bool mayWait(mlir::Region &region);

  mlir::ModuleOp module;
  Program &program;
  llvm::DenseMap<mlir::Value, Slots> *values = nullptr; ///< of the function that is decoded now
  std::vector<Label> labels;
  std::vector<std::pair<uint32_t, unsigned>> patches;
  std::map<std::vector<int64_t>, uint32_t> shapeIds;
  std::map<std::pair<uint8_t, uint64_t>, SlotId> constants;
  std::map<std::string, uint32_t> stringIds;
  std::map<std::pair<const void *, uint32_t>, uint32_t> locationIds;
  llvm::SmallVector<mlir::Operation *> callStack;
  uint32_t currentLocation = 0, currentCaller = 0;
  bool wantsStatements; ///< none while a region is decoded
  uint32_t currentStatement = noStatement, callingStatement = noStatement;
  OpId currentOp = OpId::arith_constant;
  // Of the body that is decoded now: block labels and where a return goes.
  llvm::DenseMap<mlir::Block *, unsigned> blockLabels;
  llvm::SmallVector<SlotId> returnSlots;
  unsigned returnLabel = 0;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_PROGRAM_DECODER_H
