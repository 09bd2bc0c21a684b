//===- Value.h - what a slot holds while a program runs -------------------------------------------------===//
//
// What: a block, as structure for as long as possible: one scalar (Splat), base + sum of stride times index
// (Affine; integers and pointers), true inside a box (Box; i1), elements in row-major order (Dense), or
// elements reached by a byte stride per dimension (View). Block memory is counted by references and comes
// from a pool of the program instance, so that moves and reshapes copy nothing and a dying operand lends its
// memory to the result. Why: ranges, masks and addresses then cost a few operations per block instead of per
// element. Limits: Affine, Box and View exist up to rank 6; an Affine integer never wraps around in its type.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_VALUE_H
#define TRISECT_INTERP_EXEC_VALUE_H

#include "core/support/DType.h"
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace trisect::interp {

constexpr int maxSymbolicRank = 6;

/// Strip stands for a member of the group that runs now, whose elements exist a strip at a time only.
enum class Form : uint8_t { Empty, Splat, Affine, Box, Dense, View, Strip };

/// Block memory, aligned to 64 bytes, counted by the values that share it. The pool belongs to one instance,
/// and an instance runs on one thread at a time: plain counts suffice.
struct Buffer {
  uint32_t references;
  uint32_t sizeClass;
  class BufferPool *pool;
  Buffer *next; ///< in the free list
  char *data() { return reinterpret_cast<char *>(this) + 64; }
};

/// Free lists by power of two. What a launch gives back serves the next one, up to a limit.
class BufferPool {
public:
  static BufferPool &ofThisThread();

  BufferPool() = default;
  BufferPool(const BufferPool &) = delete;
  BufferPool &operator=(const BufferPool &) = delete;
  ~BufferPool();

  /// A buffer of at least `bytes`, with one reference.
  Buffer *acquire(int64_t bytes);
  void release(Buffer *buffer) {
    int64_t bytes = int64_t(1) << buffer->sizeClass;
    if (kept + bytes > mostKept) {
      dispose(buffer);
      return;
    }
    kept += bytes;
    buffer->next = free[buffer->sizeClass];
    free[buffer->sizeClass] = buffer;
  }

private:
  static constexpr int64_t mostKept = 64 << 20;
  static void dispose(Buffer *buffer);

  Buffer *free[48] = {};
  int64_t kept = 0; ///< bytes in the free lists
};

struct Value {
  Form form = Form::Empty;
  uint64_t base = 0;        ///< Splat: the element's bits; Affine: the value at index 0, sign-extended
  char *data = nullptr;     ///< Dense, View
  Buffer *buffer = nullptr; ///< what keeps `data`; null for constants and memory of the launch
  union {
    int64_t stride[maxSymbolicRank]; ///< Affine: per index; View: in bytes
    struct {
      int32_t low[maxSymbolicRank], high[maxSymbolicRank]; ///< Box: low <= index < high
    } box;
  };

  Value() : stride{} {}
  Value(const Value &other) { copyFrom(other); }
  Value(Value &&other) noexcept {
    std::memcpy(static_cast<void *>(this), static_cast<const void *>(&other), sizeof(Value));
    other.buffer = nullptr;
    other.form = Form::Empty;
  }
  Value &operator=(const Value &other) {
    if (this != &other) {
      Value copy(other);
      *this = std::move(copy);
    }
    return *this;
  }
  Value &operator=(Value &&other) noexcept {
    if (this != &other) {
      drop();
      std::memcpy(static_cast<void *>(this), static_cast<const void *>(&other), sizeof(Value));
      other.buffer = nullptr;
      other.form = Form::Empty;
    }
    return *this;
  }
  ~Value() { drop(); }

  bool isSplat() const { return form == Form::Splat; }
  bool isTrue() const { return form == Form::Splat && (base & 1); }
  bool isFalse() const { return form == Form::Splat && !(base & 1); }
  /// Splat or Affine: an integer or address with structure.
  bool isLinear() const { return form == Form::Splat || form == Form::Affine; }
  /// Only this value uses its memory.
  bool owned() const { return buffer && buffer->references == 1; }

  /// Forgets what it held.
  void drop() {
    if (buffer && --buffer->references == 0)
      buffer->pool->release(buffer);
    buffer = nullptr;
    form = Form::Empty;
  }
  void setSplat(uint64_t bits) {
    drop();
    form = Form::Splat;
    base = bits;
  }
  /// Takes over one reference of `memory`.
  void setDense(Buffer *memory) {
    drop();
    form = Form::Dense;
    buffer = memory;
    data = memory->data();
  }

private:
  void copyFrom(const Value &other) {
    std::memcpy(static_cast<void *>(this), static_cast<const void *>(&other), sizeof(Value));
    if (buffer)
      ++buffer->references;
  }
};

/// The bits of a scalar of the type, as a signed or unsigned number.
int64_t signedBits(uint64_t bits, DType type);
uint64_t unsignedBits(uint64_t bits, DType type);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_VALUE_H
