//===- Fiber.h - a thread of a block, on the host -------------------------------------------------------===//
//
// What: a function with a stack of its own that can stop in the middle and go on later.
// Why not threads of the host: a block has hundreds, and their order must be ours to choose.
// How: a context starts the stack; later switches are jumps, which enter no kernel.
// Limits: one fibre runs at a time on a thread; what is left on the stack of one that never ends is lost.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CUDA_EMULATE_FIBER_H
#define TRISECT_BACKENDS_CUDA_EMULATE_FIBER_H

#include <csetjmp>
#include <cstddef>
#include <vector>

namespace trisect::cuda {

/// Memory for stacks, used again and again.
class StackPool {
public:
  StackPool() = default;
  StackPool(const StackPool &) = delete;
  ~StackPool();
  void *take();
  void give(void *stack) { unused.push_back(stack); }
  static constexpr size_t bytes = size_t(1) << 20;

private:
  std::vector<void *> unused;
};

class Fiber {
public:
  using Body = void (*)(void *argument);
  Fiber(StackPool &pool, Body body, void *argument) : pool(pool), body(body), argument(argument) {}
  ~Fiber();
  Fiber(const Fiber &) = delete;

  /// Goes on until the fibre stops or ends.
  void resume();
  /// In the fibre: back to whoever resumed it.
  void suspend();
  /// In the fibre: ends it.
  [[noreturn]] void finish();
  bool done() const { return ended; }

private:
  static void begin();

  StackPool &pool;
  Body body;
  void *argument;
  void *stack = nullptr;
  std::jmp_buf inside, outside;
  bool ended = false;
};

} // namespace trisect::cuda

#endif // TRISECT_BACKENDS_CUDA_EMULATE_FIBER_H
