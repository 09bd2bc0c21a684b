//===- Record.h - what a running kernel reports ---------------------------------------------------------===//
//
// What: the buffer into which a kernel writes failed assertions and printed values, and the table of places
// that its records refer to. Why: no call leaves the kernel (a call would cost registers everywhere), and the
// context lives on. Limits: records beyond the capacity are counted and dropped; order between threads is
// what the machine makes it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMIT_RECORD_H
#define TRISECT_BACKENDS_CUDA_EMIT_RECORD_H

#include "core/support/DType.h"
#include "core/support/Outcome.h"
#include <cstdint>
#include <string>
#include <vector>

namespace trisect::cuda {

/// At the address that the launch hands over; records follow it. All zero but the capacity before a launch.
struct RecordBuffer {
  uint32_t stop;     ///< not 0: an assertion has failed; blocks that start now end at once
  uint32_t used;     ///< words asked for, which may be more than the capacity
  uint32_t capacity; ///< words behind this header
  uint32_t reserved;
};

/// One record: these words, `site` first. An assertion has no value; a printed element has one of 64 bits.
struct Record {
  uint32_t site;      ///< index into the sites of the kernel
  int32_t program[3]; ///< program id
  uint32_t element;   ///< row-major number of the element in its block, 0 for a scalar
  uint32_t operand;   ///< which operand of a print
  uint32_t low, high; ///< the bits of the value
};
constexpr uint32_t recordWords = sizeof(Record) / sizeof(uint32_t);

/// A place in the kernel that writes records.
struct RecordSite {
  enum class Kind : uint8_t { Assert, Print };
  struct Operand {
    DType type = DType::I32;
    bool isSigned = true;
    std::vector<int64_t> shape; ///< empty for a scalar
    bool isTensor = false;
  };
  Kind kind = Kind::Assert;
  std::string text; ///< the message, or the prefix
  SourcePosition position;
  bool hex = false;
  std::vector<Operand> operands;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMIT_RECORD_H
