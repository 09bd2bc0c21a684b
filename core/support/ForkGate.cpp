//===- ForkGate.cpp - sections by thread, handlers of fork() --------------------------------------------===//
//
// To enter a section costs one exchange on memory of the thread; a fork looks at all threads.
//
// What a function keeps as a static is made in a section: the compiler's two calls around it come here
// (-Wl,--wrap, for all that links this library). A child would wait for ever for a thread of the parent that
// was making it.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/ForkGate.h"
#include "core/support/PerThread.h"
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <pthread.h>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace trisect {

namespace {

/// Of one thread. Nodes live for ever and are handed from thread to thread.
struct Depth {
  std::atomic<unsigned> inside{0};
  std::atomic<bool> used{true};
  Depth *next = nullptr;
};
std::atomic<Depth *> depths{nullptr};

std::atomic<bool> closing{false};
std::mutex gate;                      ///< held while a fork is under way, and from the end of the process on
std::atomic<Depth *> ending{nullptr}; ///< of the thread that ends the process
std::atomic<bool> forked{false};

constexpr size_t mostRenewals = 16;
std::array<std::atomic<void (*)()>, mostRenewals> renewals{};

Depth &takeDepth() {
  for (Depth *each = depths.load(); each; each = each->next)
    if (bool taken = false; each->used.compare_exchange_strong(taken, true))
      return *each;
  auto *made = new Depth;
  made->next = depths.load();
  while (!depths.compare_exchange_weak(made->next, made)) {
  }
  return *made;
}

struct Owner {
  Depth &depth = takeDepth();
  std::vector<std::function<void()>> later; ///< for when the last section is left
  ~Owner() { depth.used = false; }
};
PerThread<Owner> owners;

Depth &ownDepth() { return owners.get().depth; }

/// Null for a thread that has entered nothing and finds no room for a node.
Depth *depthInFork() noexcept {
  try {
    return &ownDepth();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void close(const Depth *own) {
  gate.lock();
  closing = true;
  for (Depth *each = depths.load(); each; each = each->next)
    while (each != own && each->inside.load() != 0)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
}

void open() {
  closing = false;
  gate.unlock();
}

void beforeFork() {
  Depth *own = depthInFork();
  if (!own || ending.load() != own)
    close(own);
}

void afterFork() {
  Depth *own = depthInFork();
  if (!own || ending.load() != own)
    open();
}

void afterForkInChild() {
  forked = true;
  Depth *own = depthInFork();
  for (Depth *each = depths.load(); each; each = each->next)
    each->used = each == own;
  afterFork();
  for (const auto &renew : renewals)
    if (void (*call)() = renew.load())
      call();
}

/// Whether the process was a forked child already when this library came: the kernel's flag of a process that
/// forked and did not start a program since.
bool wasForkedBefore() {
  constexpr uint64_t forkedWithoutExec = 0x40;
  std::ifstream file("/proc/self/stat");
  std::string text;
  std::getline(file, text);
  // After the name, which may hold anything, come state, parent, group, session, terminal, its group, flags.
  size_t at = text.rfind(')');
  for (int field = 0; field < 7 && at != std::string::npos; ++field)
    at = text.find(' ', at + 1);
  return at != std::string::npos && (std::strtoull(text.c_str() + at, nullptr, 10) & forkedWithoutExec);
}

const bool installed = [] {
  forked = wasForkedBefore();
  pthread_atfork(beforeFork, afterFork, afterForkInChild);
  return true;
}();

} // namespace

static void enter() {
  Depth &own = ownDepth();
  unsigned inside = own.inside.load(std::memory_order_relaxed);
  if (inside > 0)
    return own.inside.store(inside + 1, std::memory_order_relaxed);
  while (true) {
    own.inside.exchange(1);
    if (!closing.load() || ending.load() == &own)
      return;
    own.inside = 0;
    std::lock_guard wait(gate);
  }
}

static void leave() {
  Owner &own = owners.get();
  unsigned inside = own.depth.inside.load(std::memory_order_relaxed) - 1;
  own.depth.inside.store(inside, std::memory_order_release);
  if (inside == 0 && !own.later.empty())
    for (const auto &work : std::exchange(own.later, {}))
      work();
}

ForkSection::ForkSection() { enter(); }
ForkSection::~ForkSection() { leave(); }

void endForkSections() noexcept {
  Depth *own = depthInFork();
  if (!own || ending.load())
    return;
  close(own);
  ending = own;
}

void outsideForkSections(std::function<void()> work) {
  Owner &own = owners.get();
  if (own.depth.inside.load(std::memory_order_relaxed) == 0)
    return work();
  own.later.push_back(std::move(work));
}

void ForkMutex::lock() {
  enter();
  mutex.lock();
}

void ForkMutex::unlock() {
  mutex.unlock();
  leave();
}

void inForkedChild(void (*renew)()) {
  for (auto &each : renewals)
    if (void (*none)() = nullptr; each.compare_exchange_strong(none, renew) || none == renew)
      return;
}

/// The calls around what a static is made by. They may not throw: a thread that finds no room for its node
/// goes on without a section, and has entered none when it comes to the end.
extern "C" {
int realAcquire(uint64_t *guard) asm("__real___cxa_guard_acquire");
void realRelease(uint64_t *guard) noexcept asm("__real___cxa_guard_release");
void realAbort(uint64_t *guard) noexcept asm("__real___cxa_guard_abort");
int acquireInSection(uint64_t *guard) asm("__wrap___cxa_guard_acquire");
void releaseInSection(uint64_t *guard) noexcept asm("__wrap___cxa_guard_release");
void abortInSection(uint64_t *guard) noexcept asm("__wrap___cxa_guard_abort");
}

static void leaveEntered() noexcept {
  if (Depth *own = depthInFork(); own && own->inside.load(std::memory_order_relaxed) > 0)
    leave();
}

int acquireInSection(uint64_t *guard) {
  if (depthInFork())
    enter();
  int isMine = realAcquire(guard);
  if (!isMine)
    leaveEntered();
  return isMine;
}

void releaseInSection(uint64_t *guard) noexcept {
  realRelease(guard);
  leaveEntered();
}

void abortInSection(uint64_t *guard) noexcept {
  realAbort(guard);
  leaveEntered();
}

bool isForkedChild() { return forked.load(std::memory_order_relaxed); }

} // namespace trisect
