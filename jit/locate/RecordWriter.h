//===- RecordWriter.h - TTIR that appends values to a stream --------------------------------------------===//
//
// What: gives a kernel the stream as its last argument, and puts behind an operation what appends a value to
// it (Probes.h). Limits: what is put in carries the attribute `trisect_probe`, by which others can leave it
// out of account.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_JIT_LOCATE_RECORDWRITER_H
#define TRISECT_JIT_LOCATE_RECORDWRITER_H

#include "core/ir/Ops.h"
#include "jit/locate/Probes.h"
#include "mlir/IR/Builders.h"

namespace trisect::jit {

/// The argument of the kernel from which addresses come; nothing if that is not known.
std::optional<unsigned> rootArgument(mlir::Value address);

class RecordWriter {
public:
  explicit RecordWriter(tt::FuncOp function);
  /// Behind `op`, or at the start of its last region, for its result or argument `index`.
  void watch(mlir::Operation *op, bool ofBody, unsigned index, unsigned number, const WatchedValue &value);

private:
  mlir::Value word(int64_t value);
  /// The i64 at `offset` of the stream.
  mlir::Value wordAt(mlir::Value offset);
  mlir::Value inStream(mlir::Value offset, mlir::Type element);
  /// What goes to memory: bits of i1 as bytes, addresses as numbers.
  mlir::Value stored(mlir::Value value);
  void storePayload(mlir::Value value, mlir::Value offset, mlir::Value inWindow);

  tt::FuncOp function;
  mlir::OpBuilder b;
  mlir::Location loc;
  mlir::Value stream;
};

} // namespace trisect::jit

#endif // TRISECT_JIT_LOCATE_RECORDWRITER_H
