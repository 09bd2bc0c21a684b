//===- Fiber.cpp - a function with a stack of its own ---------------------------------------------------===//
#include "backends/common/Fiber.h"
#include "core/support/Outcome.h"
#include <sys/mman.h>
#include <ucontext.h>

namespace trisect {

namespace {
thread_local Fiber *starting = nullptr;
}

StackPool::~StackPool() {
  for (void *stack : unused)
    munmap(stack, bytes);
}

void *StackPool::take() {
  if (!unused.empty()) {
    void *stack = unused.back();
    unused.pop_back();
    return stack;
  }
  void *stack =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED)
    throw Unsupported("no memory for the stacks of so many programs that wait for one another; launch fewer");
  return stack;
}

void StackPool::give(void *stack) {
  if (unused.size() < mostKept)
    unused.push_back(stack);
  else
    munmap(stack, bytes);
}

Fiber::Fiber(StackPool &pool, Body body, void *argument)
    : pool(pool), body(body), argument(argument), stack(pool.take()) {}

Fiber::~Fiber() { pool.give(stack); }

void Fiber::begin() {
  Fiber *self = starting;
  self->body(self->argument);
  self->finish();
}

void Fiber::finish() {
  ended = true;
  _longjmp(outside, 1);
}

void Fiber::suspend() {
  if (_setjmp(inside) == 0)
    _longjmp(outside, 1);
}

void Fiber::resume() {
  if (_setjmp(outside) != 0)
    return;
  if (begun)
    _longjmp(inside, 1);
  begun = true;
  ucontext_t context;
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = StackPool::bytes;
  context.uc_link = nullptr;
  makecontext(&context, &Fiber::begin, 0);
  starting = this;
  setcontext(&context);
}

} // namespace trisect
