//===- Fiber.h - a function with a stack of its own -----------------------------------------------------===//
//
// What: a function that can stop in the middle and go on later. Why not threads of the host: a launch has
// thousands of programs, a block of a GPU hundreds of threads, and their order must be ours to choose.
// How: a context starts the stack; later switches are jumps, which enter no kernel.
// Below each stack lies memory that nobody may touch, and the thread has another stack for signal handlers:
// what overflows a stack is a wild access there (core/support/MemoryGuard.h), and overflowedAt() names it.
// Limits: one fibre runs at a time on a thread, always the same; what is left on the stack of one that never
// ends is lost. Switches take no memory and no lock, so that a signal handler may leave one by a jump to
// where the fibre was resumed from; after that the fibre must not go on.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_COMMON_FIBER_H
#define TRISECT_BACKENDS_COMMON_FIBER_H

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trisect {

/// Memory for stacks, used again and again by one thread.
class StackPool {
public:
  /// Keeps so many stacks that nobody uses.
  explicit StackPool(size_t mostKept);
  StackPool(const StackPool &) = delete;
  ~StackPool();
  /// The lowest address of a stack. Throws Unsupported if there is no more memory.
  void *take();
  void give(void *stack);
  /// A signal handler that runs on it may call Python.
  static constexpr size_t bytes = size_t(1) << 20;
  /// Below it.
  static constexpr size_t guardBytes = size_t(1) << 16;

private:
  static void release(void *stack);

  size_t mostKept;
  void *handlers = nullptr; ///< a stack for them, if the thread had none
  std::vector<void *> unused;
};

class Fiber {
public:
  using Body = void (*)(void *argument);
  Fiber(StackPool &pool, Body body, void *argument);
  ~Fiber();
  Fiber(const Fiber &) = delete;

  /// Goes on until the fibre stops or ends.
  void resume();
  /// In the fibre: back to whoever resumed it.
  void suspend();
  /// In the fibre: ends it.
  [[noreturn]] void finish();
  bool done() const { return ended; }
  /// Whether an access there came from a stack that was too short.
  bool overflowedAt(uint64_t address) const;

private:
  static void begin();

  StackPool &pool;
  Body body;
  void *argument;
  void *stack;
  std::jmp_buf inside, outside;
  bool begun = false, ended = false;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_COMMON_FIBER_H
