//===- OwnThread.cpp - a thread that says whether it has what it needs ----------------------------------===//
#include "core/support/OwnThread.h"
#include "core/support/AddressSpace.h"
#include "core/support/FloatEnvironment.h"
#include <atomic>
#include <csignal>
#include <memory>
#include <new>
#include <pthread.h>
#include <system_error>
#include <thread>

namespace trisect {

namespace {

/// Beside its stack: the loader's and the allocator's.
constexpr int64_t spaceBesideStack = 8 << 20;

int64_t stackSize() {
  pthread_attr_t usual;
  size_t size = 8 << 20;
  if (pthread_getattr_default_np(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &size);
    pthread_attr_destroy(&usual);
  }
  return static_cast<int64_t>(size);
}

/// Signals are for the threads of the host.
class OnlyOwnSignals {
public:
  OnlyOwnSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGURG, SIGPROF})
      sigdelset(&blocked, own);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
  }
  ~OnlyOwnSignals() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

} // namespace

bool roomForThreads(int count) {
  auto left = addressSpaceLeft();
  return !left || *left / std::max(count, 1) >= stackSize() + spaceBesideStack;
}

bool startThread(std::function<void()> serve) {
  enum Answer : int { None, Serves, NoRoom };
  if (!roomForThreads(1))
    return false;
  try {
    auto answer = std::make_shared<std::atomic<int>>(None);
    OnlyOwnSignals mask;
    std::thread([answer, serve = std::move(serve)]() mutable {
      bool room = claimThreadStorage();
      answer->store(room ? Serves : NoRoom);
      answer->notify_one();
      answer.reset();
      FloatEnvironment arithmetic; // threads inherit their maker's
      if (room)
        serve();
    }).detach();
    answer->wait(None);
    return answer->load() == Serves;
  } catch (const std::system_error &) {
    return false;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

} // namespace trisect
