//===- MemoryGuard.cpp - signal handlers ----------------------------------------------------------------===//
//
// A handler that was there before may put back what it had found, which is ours, and then raise the signal
// (faulthandler does that when it has printed its text) or return to the instruction. A nested arrival goes
// one handler further back; a handler that put ours back has resigned and is not called again. At the end
// the default action ends the process as it would have without us.
//
// Handlers may be installed between two looks of ours. One that gets what our work did wrong usually ends in
// raising the signal on the same thread: the work is left then, although its address is lost.
//
// Interruptions never pile up: while one of our handlers runs none comes, but for what the question runs, and
// one that comes there only notes it. So none finds a handler on its way out, whose jump may call what takes
// locks (a sanitizer's bookkeeping), or asks Python on the short stack of a crash.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/MemoryGuard.h"
#include "core/support/ForkGate.h"
#include "core/support/PerThread.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <mutex>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace trisect {

namespace {

constexpr int interruption = SIGURG;

struct RecoveryPoint {
  sigjmp_buf back;
  GuardedEnd end;
  LeaveQuestion leave;
  void *owner;
  bool letIn = false; ///< interruptions, after a jump: they came before the handler
};

/// What the handler knows of a thread. Nodes live for ever and are handed from thread to thread: the handler
/// must not reach thread-local memory, which may be made on first use.
struct ThreadState {
  std::atomic<pid_t> thread{0}; ///< 0: free
  ThreadState *next = nullptr;
  RecoveryPoint *recovery = nullptr;
  std::atomic<void *> owner{nullptr}; ///< of what runs now
  bool asking = false;                ///< whether to leave it, or not to be asked
  bool missed = false;                ///< an interruption came while it was not to be asked
  unsigned nested = 0;                ///< handlers before ours that run now
  const char *frame = nullptr;        ///< of the first of them
};
std::atomic<ThreadState *> threads{nullptr};
ThreadState unknownThread; ///< of threads that never ran guarded work

pid_t thisThread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

ThreadState &takeState() {
  for (ThreadState *each = threads.load(); each; each = each->next)
    if (pid_t nobody = 0; each->thread.compare_exchange_strong(nobody, thisThread()))
      return *each;
  auto *made = new ThreadState;
  made->thread = thisThread();
  made->next = threads.load();
  while (!threads.compare_exchange_weak(made->next, made)) {
  }
  return *made;
}

/// For the thread's own use, outside of the handler.
ThreadState &ownState() {
  struct Owner {
    ThreadState &state = takeState();
    ~Owner() { state.thread = 0; }
  };
  static constinit PerThread<Owner> owners;
  return owners.get().state;
}

ThreadState &stateInHandler() {
  pid_t self = thisThread();
  for (ThreadState *each = threads.load(); each; each = each->next)
    if (each->thread.load() == self)
      return *each;
  return unknownThread;
}

/// In a forked child one thread is left, with another number.
void forgetOtherThreads() {
  for (ThreadState *each = threads.load(); each; each = each->next) {
    each->thread = 0;
    each->owner = each == &ownState() ? each->owner.load() : nullptr;
    each->recovery = each == &ownState() ? each->recovery : nullptr;
  }
  ownState().thread = thisThread();
}

/// The actions that ours took the place of, the latest last.
struct Chain {
  std::array<struct sigaction, 4> before;
  std::atomic<unsigned> count{0};
};
std::array<Chain, 3> chains;
Chain &chainOf(int signal) { return chains[signal == SIGBUS ? 1 : signal == interruption ? 2 : 0]; }

std::atomic<int64_t> lastLook{0}; ///< for handlers of others, in nanoseconds; 0: look at the next launch

void lookSoon() { lastLook.store(0, std::memory_order_relaxed); }

bool cameFromInstruction(const siginfo_t *info) { return info->si_code > 0; }

void endAsByDefault(int signal, const siginfo_t *info) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  // An instruction runs again when the handler returns; a signal that was sent does not come back by itself.
  if (!cameFromInstruction(info))
    raise(signal);
}

bool isOurs(int signal, const struct sigaction &action);

/// While an earlier handler runs our action has another flag, without meaning for these signals: what is in
/// place when it returns tells whether it put back the action that it had found.
class Resignation {
public:
  explicit Resignation(int signal) : signal(signal) { set(SA_RESTART); }
  /// True if the handler put ours back.
  bool end() {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if (!isOurs(signal, now))
      return false;
    set(0);
    return !(now.sa_flags & SA_RESTART);
  }

private:
  void set(int flag) const {
    struct sigaction action = {};
    sigaction(signal, nullptr, &action);
    if (!isOurs(signal, action))
      return;
    action.sa_flags = (action.sa_flags & ~SA_RESTART) | flag;
    sigaction(signal, &action, nullptr);
  }
  int signal;
};

void passOn(ThreadState &state, int signal, siginfo_t *info, void *context) {
  Chain &chain = chainOf(signal);
  unsigned count = chain.count.load(std::memory_order_acquire);
  if (state.nested >= count)
    return endAsByDefault(signal, info);
  unsigned place = count - 1 - state.nested;
  const struct sigaction before = chain.before[place];
  bool plain = !(before.sa_flags & SA_SIGINFO);
  if (plain && before.sa_handler == SIG_IGN && !cameFromInstruction(info))
    return;
  if (plain && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN))
    return endAsByDefault(signal, info);
  std::optional<Resignation> resignation;
  if (signal != interruption)
    resignation.emplace(signal);
  if (state.nested++ == 0)
    state.frame = static_cast<const char *>(__builtin_frame_address(0));
  if (plain)
    before.sa_handler(signal);
  else
    before.sa_sigaction(signal, info, context);
  --state.nested;
  if (resignation && resignation->end() && place + 1 == chain.count.load())
    chain.count.store(place, std::memory_order_release);
}

bool isWrite([[maybe_unused]] void *context) {
#if defined(__x86_64__)
  return static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  return false;
#endif
}

void changeInterruptions(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, interruption);
  pthread_sigmask(how, &set, nullptr);
}

bool letsInterruptionsIn(const void *context) {
  return !sigismember(&static_cast<const ucontext_t *>(context)->uc_sigmask, interruption);
}

void handle(int signal, siginfo_t *info, void *context) {
  ThreadState &state = stateInHandler();
  // A handler may have left by a jump; the next signal then finds its stack free.
  if (state.nested && static_cast<const char *>(__builtin_frame_address(0)) >= state.frame)
    state.nested = 0;
  bool raisedHere = cameFromInstruction(info);
  bool raisedByHandler = info->si_code == SI_TKILL && info->si_pid == getpid();
  if ((raisedHere || raisedByHandler) && state.recovery && !state.nested) {
    RecoveryPoint *point = state.recovery;
    WildAccess &access = point->end.wild.emplace();
    if (raisedHere && info->si_code != SI_KERNEL) {
      access.address = reinterpret_cast<uint64_t>(info->si_addr);
      access.write = isWrite(context);
    }
    lookSoon();
    point->letIn = letsInterruptionsIn(context);
    siglongjmp(point->back, 1);
  }
  // A handler of others may end in a jump that leaves the mask as it is.
  if (letsInterruptionsIn(context))
    changeInterruptions(SIG_UNBLOCK);
  passOn(state, signal, info, context);
}

void handleInterruption(int signal, siginfo_t *info, void *context) {
  int error = errno;
  ThreadState &state = stateInHandler();
  RecoveryPoint *point = state.recovery;
  if (info->si_code != SI_TKILL || info->si_pid != getpid()) {
    passOn(state, signal, info, context);
  } else if (state.asking) {
    state.missed = true;
  } else if (point && point->leave && !state.nested) {
    // What the question runs is not the work: it may crash, or do guarded work of its own.
    state.asking = true;
    state.recovery = nullptr;
    // Threads and processes that it starts inherit the mask.
    changeInterruptions(SIG_UNBLOCK);
    bool leave = point->leave(point->owner);
    changeInterruptions(SIG_BLOCK);
    state.recovery = point;
    state.asking = false;
    if (leave) {
      point->end.left = true;
      point->letIn = true;
      siglongjmp(point->back, 1);
    }
  }
  errno = error;
}

using Action = void (*)(int, siginfo_t *, void *);
Action actionFor(int signal) { return signal == interruption ? handleInterruption : handle; }

bool isOurs(int signal, const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == actionFor(signal);
}

bool same(const struct sigaction &a, const struct sigaction &b) {
  return (a.sa_flags & SA_SIGINFO) == (b.sa_flags & SA_SIGINFO) && a.sa_handler == b.sa_handler;
}

void install(int signal) {
  struct sigaction current = {};
  sigaction(signal, nullptr, &current);
  if (isOurs(signal, current))
    return;
  Chain &chain = chainOf(signal);
  unsigned count = chain.count.load(std::memory_order_relaxed);
  // One that we know already comes to the end; the oldest makes room for a new one.
  auto end = std::remove_if(chain.before.begin(), chain.before.begin() + count,
                            [&](const struct sigaction &each) { return same(each, current); });
  if (end == chain.before.end())
    end = std::move(chain.before.begin() + 1, chain.before.end(), chain.before.begin());
  *end++ = current;
  chain.count.store(static_cast<unsigned>(end - chain.before.begin()), std::memory_order_release);
  struct sigaction action = {};
  action.sa_sigaction = actionFor(signal);
  action.sa_flags = SA_SIGINFO | (signal == interruption ? SA_RESTART : SA_ONSTACK | SA_NODEFER);
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, interruption);
  sigaction(signal, &action, nullptr);
}

} // namespace

void installMemoryGuard(std::chrono::steady_clock::time_point when) {
  // Somebody may install handlers at any time; to look costs three system calls.
  constexpr int64_t lookAgain = 100'000;
  int64_t now = when.time_since_epoch().count();
  int64_t last = lastLook.load(std::memory_order_relaxed);
  if (last && now - last < lookAgain)
    return;
  static ForkMutex lock;
  std::lock_guard guard(lock);
  inForkedChild(forgetOtherThreads);
  install(SIGSEGV);
  install(SIGBUS);
  install(interruption);
  lastLook.store(now, std::memory_order_relaxed);
}

GuardedEnd guardedCall(void (*work)(void *), void *data, LeaveQuestion leave, void *owner) {
  struct Armed {
    ThreadState &state = ownState();
    RecoveryPoint point, *outer = state.recovery;
    void *outerOwner = state.owner.load(std::memory_order_relaxed);
    ~Armed() {
      state.recovery = outer;
      state.owner.store(outerOwner, std::memory_order_relaxed);
    }
  } armed;
  armed.point.leave = leave;
  armed.point.owner = owner;
  if (sigsetjmp(armed.point.back, 0) != 0) {
    armed.state.recovery = nullptr; // one that waited finds nothing to leave
    if (armed.point.letIn)
      changeInterruptions(SIG_UNBLOCK);
    return armed.point.end;
  }
  armed.state.nested = 0; // handlers left by a jump, at the latest now
  armed.state.recovery = &armed.point;
  armed.state.owner.store(owner, std::memory_order_relaxed);
  work(data);
  return {};
}

void interruptGuarded(void *owner) {
  for (ThreadState *each = threads.load(); each; each = each->next)
    if (each->owner.load(std::memory_order_relaxed) == owner)
      if (pid_t thread = each->thread.load())
        syscall(SYS_tgkill, getpid(), thread, interruption);
}

UnleavableWork::UnleavableWork() {
  ThreadState &state = ownState();
  wasAsking = std::exchange(state.asking, true);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  recovery = std::exchange(state.recovery, nullptr);
}

UnleavableWork::~UnleavableWork() {
  ThreadState &state = ownState();
  state.recovery = static_cast<RecoveryPoint *>(recovery);
  bool missed = std::exchange(state.missed, false);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  state.asking = wasAsking;
  if (missed)
    syscall(SYS_tgkill, getpid(), thisThread(), interruption);
}

} // namespace trisect
