//===- Memory.h - the one point through which a mode sees memory access ---------------------------------===//
//
// What: what a memory mode must provide: reads and writes of byte ranges and of lists of addresses, each with
// the place in the program that made it. Why: direct mode has no policy and pays nothing; overlay and shadow
// ride along without another step loop. One call stands for a whole row or list of addresses, never for an
// element. Limits: one policy serves one thread at a time.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_MEMORY_H
#define TRISECT_INTERP_MEMORY_MEMORY_H

#include <cstdint>

namespace trisect::interp {

/// Who accesses: index into Program::locations, and the program's linear id.
struct AccessSite {
  uint32_t location = 0;
  int64_t program = 0;
};

class MemoryPolicy {
public:
  virtual ~MemoryPolicy() = default;

  virtual void read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) = 0;
  virtual void write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) = 0;
  /// Whether there is memory at all of the bytes; that of the process unless a policy says otherwise.
  virtual bool maps(uint64_t address, int64_t bytes);

  /// Lane i moves `size` bytes at address[i] unless mask[i] is zero; a null mask means all lanes. Lanes that
  /// are masked off keep what `into` holds.
  virtual void gather(const AccessSite &site, const uint64_t *address, const uint8_t *mask, void *into,
                      unsigned size, int64_t lanes);
  virtual void scatter(const AccessSite &site, const uint64_t *address, const uint8_t *mask, const void *from,
                       unsigned size, int64_t lanes);
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_MEMORY_H
