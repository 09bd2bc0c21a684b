//===- Fiber.cpp - a function with a stack of its own ---------------------------------------------------===//
#include "backends/common/Fiber.h"
#include "core/support/Outcome.h"
#include <csignal>
#include <sys/mman.h>
#include <ucontext.h>

namespace trisect {

namespace {
thread_local Fiber *starting = nullptr;
}

namespace {
constexpr size_t handlerBytes = size_t(1) << 16;

void *map(size_t bytes) {
  void *memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}
} // namespace

StackPool::StackPool(size_t mostKept) : mostKept(mostKept) {
  stack_t now = {};
  if (sigaltstack(nullptr, &now) != 0 || !(now.ss_flags & SS_DISABLE))
    return;
  handlers = map(handlerBytes);
  stack_t ours = {};
  ours.ss_sp = handlers;
  ours.ss_size = handlerBytes;
  if (handlers)
    sigaltstack(&ours, nullptr);
}

StackPool::~StackPool() {
  for (void *stack : unused)
    release(stack);
  stack_t now = {};
  // Somebody may have set another one since, which then stays.
  if (handlers && sigaltstack(nullptr, &now) == 0 && now.ss_sp == handlers) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  if (handlers)
    munmap(handlers, handlerBytes);
}

void *StackPool::take() {
  if (!unused.empty()) {
    void *stack = unused.back();
    unused.pop_back();
    return stack;
  }
  char *memory = static_cast<char *>(map(guardBytes + bytes));
  // Guarded memory counts as a mapping of its own, and a process has so many.
  if (!memory || mprotect(memory, guardBytes, PROT_NONE) != 0) {
    if (memory)
      munmap(memory, guardBytes + bytes);
    throw Unsupported("no memory for the stacks of so many programs that wait for one another; launch fewer");
  }
  return memory + guardBytes;
}

void StackPool::give(void *stack) {
  if (unused.size() < mostKept)
    unused.push_back(stack);
  else
    release(stack);
}

void StackPool::release(void *stack) { munmap(static_cast<char *>(stack) - guardBytes, guardBytes + bytes); }

Fiber::Fiber(StackPool &pool, Body body, void *argument)
    : pool(pool), body(body), argument(argument), stack(pool.take()) {}

Fiber::~Fiber() { pool.give(stack); }

bool Fiber::overflowedAt(uint64_t address) const {
  auto lowest = reinterpret_cast<uint64_t>(stack);
  return address < lowest && address >= lowest - StackPool::guardBytes;
}

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
