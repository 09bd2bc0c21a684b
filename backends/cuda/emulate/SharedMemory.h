//===- SharedMemory.h - the shared memory of a block, watched -------------------------------------------===//
//
// What: bytes with a record of who touched each since the block last met. Two threads race if both touch a
// byte, one of them writes, and neither a barrier of the block nor one of their common warp lies between.
// Limits: of the readers of a byte the last two threads are kept.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_SHAREDMEMORY_H
#define TRISECT_BACKENDS_CUDA_EMULATE_SHAREDMEMORY_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trisect::cuda {

/// When an access happened: the barriers that block and warp had passed.
struct Moment {
  uint32_t thread = 0;
  uint32_t blockEpoch = 0; ///< counts from 1; 0: never
  uint32_t warpEpoch = 0;
};

class WatchedMemory {
public:
  explicit WatchedMemory(size_t bytes) : data(bytes), records(bytes) {}

  enum class Access : uint8_t { Read, Write, Atomic };
  /// Copies `bytes` from or to `address`; says what is wrong, or nothing.
  std::optional<std::string> touch(Access access, uint32_t address, void *buffer, uint32_t bytes, Moment now);
  std::optional<std::string> addAtomically(uint32_t address, uint32_t amount, Moment now);

private:
  struct Bytewise {
    Moment written, read, readBefore;
    bool atomically = false; ///< the last write was atomic
  };
  static bool together(const Moment &before, const Moment &now);
  std::optional<std::string> note(Access access, uint32_t address, uint32_t bytes, Moment now);

  std::vector<uint8_t> data;
  std::vector<Bytewise> records;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_SHAREDMEMORY_H
