//===- BlockEmitter.h - from TTIR blocks to code, in program order --------------------------------------===//
//
// What: walks the ops of a block: scalars are emitted at once, tensor ops go to fusion groups, products,
// other reductions and control flow are emitted where they stand, after the groups that they need.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_BLOCKEMITTER_H
#define TRISECT_BACKENDS_CPU_EMIT_BLOCKEMITTER_H

#include "backends/cpu/dot/Micro.h"
#include "backends/cpu/emit/Groups.h"
#include "backends/cpu/plan/SortNetwork.h"
#include "core/ir/Ops.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace trisect::cpu {

struct Carried;

class BlockEmitter {
public:
  BlockEmitter(KernelState &state, Pointers &pointers)
      : state(state), pointers(pointers), groups(state, pointers) {}

  /// Looks for what is emitted otherwise than operation by operation.
  void prepare(tt::FuncOp kernel) { networks.find(kernel); }

  /// Emits everything but the terminator; all groups are closed afterwards.
  void emitBlock(mlir::Block &block);
  /// The emitted value of a TTIR scalar.
  mlir::Value scalar(mlir::Value value);

private:
  void emitOp(mlir::Operation *op);
  bool emitCreation(mlir::Operation *op);
  bool emitElementwiseOp(mlir::Operation *op);
  bool emitMemory(mlir::Operation *op);
  // Products.cpp
  void emitDot(tt::DotOp op);
  void emitNarrowDot(tt::DotOp op);
  void emitTileDot(tt::DotOp op, const Form &form);
  Buffer dotOperand(mlir::OpOperand &use, mlir::Type convertTo, int64_t panel);
  std::optional<Buffer> keptOperand(mlir::OpOperand &use, mlir::Type element, int64_t panel);
  void copyOperand(mlir::OpOperand &use, const Buffer &buffer);
  void copyTogether(mlir::OpOperand &use, const Buffer &loose, const Buffer &target, const Form &form);
  void turnInto(tt::TransOp turned, const Buffer &buffer);
  void emitTurned(tt::TransOp op);
  void finishOperands();
  Extent wantedExtent(mlir::Value sums);
  Buffer productTarget(mlir::Operation *op, mlir::Value start);
  // ScaledProducts.cpp
  void emitDotScaled(tt::DotScaledOp op);
  // AxisReduction.cpp
  void emitReduce(tt::ReduceOp op);
  void emitAxisReduce(tt::ReduceOp op);
  // Scans.cpp
  void emitScan(tt::ScanOp op);
  void requireRegionInputs(mlir::Region &region);
  // SortNetwork.cpp
  void emitNetwork(const SortNetwork &network);
  // Histogram.cpp
  void emitHistogram(tt::HistogramOp op);
  // Maps.cpp
  void emitMap(tt::MapElementwiseOp op);
  // Prints.cpp
  void emitPrint(tt::PrintOp op);
  // Assembly.cpp
  void emitAssembly(tt::ElementwiseInlineAsmOp op);
  // Asserts.cpp
  void emitAssert(tt::AssertOp op);
  void emitCheck(Assertion assertion, mlir::Value holds, mlir::Value value);
  // Atomics.cpp
  using ElementAccess = llvm::function_ref<mlir::Value(mlir::Value)>;
  bool emitAtomic(mlir::Operation *op);
  void forEachActive(mlir::Operation *op, mlir::Value pointer, mlir::Value mask,
                     llvm::function_ref<mlir::Value(ElementAccess)> each);
  // Waits.cpp
  void emitPoll(tt::AtomicPollOp op);
  // StagedProducts.cpp
  friend class StageEmitter;
  bool emitStagedProduct(mlir::scf::ForOp op);
  // Control.cpp
  Carried carriedBy(mlir::scf::ForOp op);
  void emitFor(mlir::scf::ForOp op);
  void requireStep(mlir::scf::ForOp op, mlir::Value step);
  void emitIf(mlir::scf::IfOp op);
  void emitWhile(mlir::scf::WhileOp op);
  std::optional<llvm::SmallVector<mlir::Value>> inductionSteps(mlir::BlockArgument argument,
                                                               mlir::Value next);
  mlir::Value inductionAmount(llvm::ArrayRef<mlir::Value> steps, mlir::Value like);
  void moveInto(mlir::ValueRange values, llvm::ArrayRef<Buffer> targets, mlir::ValueRange old);
  bool dependsOn(mlir::Value value, mlir::Value other);

  KernelState &state;
  Pointers &pointers;
  Groups groups;
  SortNetworks networks;
  llvm::SmallVector<std::pair<Buffer, Buffer>> turns; ///< of factors: what is turned, and to where
  struct Interleave {
    Buffer from, to;
    Form form;
  };
  llvm::SmallVector<Interleave> interleaves; ///< of right factors, after they are turned
};

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_BLOCKEMITTER_H
