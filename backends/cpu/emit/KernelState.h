//===- KernelState.h - what all emitters of one kernel share --------------------------------------------===//
//
// What: the builder, the emitted values of TTIR scalars, the buffers and induction forms of TTIR tensors, and
// the scratch arena. Why: a tensor is a buffer only where its elements must survive a loop; all others are
// evaluated where they are used (Evaluator.h).
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_KERNELSTATE_H
#define TRISECT_BACKENDS_CPU_EMIT_KERNELSTATE_H

#include "backends/cpu/AssertHook.h"
#include "backends/cpu/emit/Code.h"
#include "backends/cpu/orc/Machine.h"
#include "backends/target/Artifact.h"
#include "core/analysis/AxisAnalysis.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace trisect::cpu {

/// A block in the scratch arena: row-major, or in panels of some columns each for the right side of a
/// product.
struct Buffer {
  mlir::Value offset; ///< in the scratch memory; the same for buffers that are sections of one
  mlir::Type element; ///< the TTIR type that its elements have
  llvm::SmallVector<int64_t> shape;
  int64_t panel = 0; ///< columns of a panel; 0: row-major
  int64_t pitch =
      0; ///< of a section of a larger block: elements of a row, or rows of a panel, there; 0: none
  mlir::Value shift; ///< of a section: the bytes before it, where code finds them; null: none

  int64_t elements() const;
};

/// A loop-carried tensor that only grows by a uniform amount each time: `start` plus a scalar. Addresses
/// count in bytes.
struct Induction {
  mlir::Value start;
  mlir::Value amount;
  mlir::Value step; ///< what a round of the loop adds, where that is known before the loop; else null
};

/// Hands out aligned parts of the scratch memory that are nobody else's, in this program and later ones.
class Arena {
public:
  int64_t take(int64_t bytes);
  int64_t end() const { return next; }

private:
  int64_t next = assertHookBytes;
};

struct KernelState {
  KernelState(mlir::Operation *kernel, const Machine &machine)
      : builder(kernel->getContext()), machine(machine), kernel(kernel) {}

  mlir::OpBuilder builder;
  const Machine &machine; ///< that code is for
  mlir::Location loc = builder.getUnknownLoc();
  mlir::Value scratch; ///< address, i64
  mlir::Value programId[3], numPrograms[3];
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<mlir::Value, Buffer> buffers;
  llvm::DenseMap<mlir::Value, Induction> inductions;
  /// Of rows in buffers, and of masks: from which position on all lanes are alike (Reach.h).
  llvm::DenseMap<mlir::Value, mlir::Value> evenFrom;
  llvm::DenseSet<mlir::Operation *> rowsRead; ///< loads of groups that are emitted
  llvm::SmallVector<tt::LoadOp, 2> rowsFound; ///< of these, such whose later rows are asked for
  Arena arena;
  std::vector<Assertion> asserts; ///< by number
  std::vector<WaitPlace> waits;   ///< by number
  unsigned waiting = 0;           ///< loops around the present place that may wait (Waits.h)
  unsigned prints = 0;
  AtomicsUse atomics = AtomicsUse::None;
  std::vector<uint32_t> plainArguments; ///< of the kernel, behind which atomics have a form without locks
  bool mayStream = false;               ///< nothing reads what the kernel writes
  std::vector<Streamed> streamed;       ///< as in Artifact

  /// Calls the region of a reduce, scan or map on scalars (RegionFunction.h).
  std::function<llvm::SmallVector<mlir::Value>(mlir::Region &, mlir::ValueRange)> callRegion;

  /// Offsets of numbers that a thread's programs leave to the next one; 0 before the first.
  llvm::SmallVector<int64_t, 2> kept;

  std::string plan; ///< what was decided, a line for each (trisect-cpu --emit=plan)

  Code code() { return {builder, loc, &constants, &machine}; }
  /// What the launch says in one byte of the AssertHook at the start of the scratch memory.
  mlir::LLVM::LoadOp hookByte(int64_t offset);
  /// A buffer that is made here: what was in it in an earlier round of a loop is lost.
  Buffer makeBuffer(mlir::Type element, llvm::ArrayRef<int64_t> shape, int64_t panel = 0);
  /// The address of a buffer's first element, i64.
  mlir::Value beginOf(const Buffer &buffer);
  /// A buffer in which the next program that the thread runs finds what this one has left there.
  Buffer makeLasting(mlir::Type element, llvm::ArrayRef<int64_t> shape, int64_t panel = 0);
  /// Gives all buffers their places, once `program` and the functions that it calls are complete; the scratch
  /// memory that is needed, in bytes.
  int64_t placeBuffers(mlir::Operation *program);
  /// The emitted value of a TTIR scalar; throws EngineError if it has none.
  mlir::Value scalar(mlir::Value value);
  /// Facts of the kernel's values, found when they are first asked for.
  const tt::AxisFacts &axisFacts();

private:
  void describe(const Buffer &buffer, llvm::StringRef name);

  SharedConstants constants;
  llvm::SmallVector<mlir::Value> marks; ///< of buffers, in the order of their making (Lives.h)
  mlir::Operation *kernel;
  std::unique_ptr<tt::AxisFacts> facts;
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_KERNELSTATE_H
