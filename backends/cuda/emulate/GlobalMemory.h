//===- GlobalMemory.h - the tensors of an emulated launch, watched --------------------------------------===//
//
// What: which bytes of the launch's tensors are read and written, and by which thread last. Finds accesses
// outside of them, and two threads of a program that touch a byte in two operations, one of them writing,
// with no barrier between. Why: the operations of a program take effect in order, whichever threads do them.
// Limits: of the readers of a byte the last two threads are kept, of whichever programs; the lanes of one
// operation have no order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_GLOBALMEMORY_H
#define TRISECT_BACKENDS_CUDA_EMULATE_GLOBALMEMORY_H

#include "backends/cuda/emulate/SharedMemory.h"
#include "core/support/Launch.h"
#include <span>

namespace trisect::cuda {

class GlobalMemory {
public:
  enum class Access : uint8_t { Read, Write, Atomic };
  /// Who touches memory, and when.
  struct Toucher {
    int64_t program = 0;
    uint32_t operation = 0; ///< how many accesses the thread had begun
    Moment when;
  };

  /// Bytes that lie together, of one tensor or of several that overlap.
  struct Piece {
    uint64_t address = 0;
    std::vector<uint8_t> read;     ///< 1 for each byte that was read
    std::vector<uint32_t> written; ///< how often each byte was written; atomics count if they change it
    std::vector<uint8_t> atomic;   ///< 1 for each byte that an atomic access touched
  };

  /// Without tensors nothing is watched.
  explicit GlobalMemory(std::span<const TensorView> tensors);
  /// Says what is wrong, or nothing.
  std::optional<std::string> touch(Access access, uint64_t address, uint32_t bytes, const Toucher &now);
  /// An atomic access has changed the bytes.
  void changed(uint64_t address, uint32_t bytes);
  /// What may be touched and is not watched.
  void allow(uint64_t address, uint64_t bytes) { others.push_back({address, bytes}); }
  const std::vector<Piece> &pieces() const { return all; }

private:
  struct Bytewise {
    Toucher written, read, readBefore;
  };
  struct Range {
    uint64_t address, bytes;
  };
  static bool unordered(const Toucher &before, const Toucher &now);
  Piece *pieceOf(uint64_t address, uint32_t bytes);
  std::optional<std::string> note(size_t piece, uint64_t at, Access access, const Toucher &now);

  std::vector<Piece> all;
  std::vector<std::vector<Bytewise>> records; ///< of each piece, once it is touched
  std::vector<Range> others;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_GLOBALMEMORY_H
