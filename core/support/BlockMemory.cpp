//===- BlockMemory.cpp - the account and its limit ------------------------------------------------------===//
#include "core/support/BlockMemory.h"
#include "core/support/Options.h"
#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace trisect {

namespace {

constexpr int64_t mebibyte = int64_t(1) << 20;

std::atomic<int64_t> taken{0};
std::atomic<int64_t> allowed{0}; ///< 0: not read yet

/// Half of the smaller of the machine's memory and what the container may have.
int64_t halfOfMachine() {
  static const int64_t half = [] {
    int64_t bytes = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    for (const char *file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
      std::ifstream in(file);
      if (int64_t most = 0; in >> most && most > 0)
        bytes = std::min(bytes, most);
    }
    return bytes / 2;
  }();
  return half;
}

/// The system may have refused what the account allows.
std::string ofSystem() {
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
    return "";
  return ", or than the address space of this process holds (ulimit -v: " +
         std::to_string(int64_t(space.rlim_cur) / mebibyte) + " MiB)";
}

std::string sentence(const SourcePosition &position) {
  return "unsupported by the interpreter: blocks and waiting programs take more than " +
         std::to_string(blockmemory::limit() / mebibyte) + " MiB" + ofSystem() +
         (position.known() ? " at " + position.str() : "") +
         "; make blocks smaller, keep fewer of them alive at once, set TRISECT_THREADS=1, or allow more with "
         "TRISECT_MEMORY";
}

} // namespace

OutOfBlockMemory::OutOfBlockMemory(const SourcePosition &position)
    : Unsupported(sentence(position), position) {}

namespace blockmemory {

void readLimit() {
  std::optional<int64_t> wanted = optionInteger(OptionId::Memory);
  allowed.store(wanted ? *wanted * mebibyte : halfOfMachine(), std::memory_order_relaxed);
}

int64_t limit() {
  if (!allowed.load(std::memory_order_relaxed))
    readLimit();
  return allowed.load(std::memory_order_relaxed);
}

void take(int64_t bytes) {
  if (taken.fetch_add(bytes, std::memory_order_relaxed) + bytes <= limit())
    return;
  give(bytes);
  throw OutOfBlockMemory();
}

void give(int64_t bytes) noexcept { taken.fetch_sub(bytes, std::memory_order_relaxed); }

} // namespace blockmemory

} // namespace trisect
