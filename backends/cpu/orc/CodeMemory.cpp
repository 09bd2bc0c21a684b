//===- CodeMemory.cpp - free ranges of pages ------------------------------------------------------------===//
//
// Pieces that lie side by side are one range, wherever they came from: the kernel joins their mappings too.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cpu/orc/CodeMemory.h"
#include "core/support/ForkGate.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <unistd.h>

namespace trisect::cpu::codememory {

namespace {

/// Mapped at once; a free range of this size goes back.
constexpr size_t pieceBytes = size_t(1) << 20;

size_t wholePages(size_t bytes) {
  static const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (std::max<size_t>(bytes, 1) + page - 1) / page * page;
}

struct Ranges {
  ForkMutex lock;
  std::map<char *, size_t> free;

  char *find(size_t bytes) {
    for (auto [begin, size] : free)
      if (size >= bytes) {
        free.erase(begin);
        if (size > bytes)
          free[begin + bytes] = size - bytes;
        return begin;
      }
    return nullptr;
  }

  void add(char *begin, size_t bytes) {
    auto after = free.lower_bound(begin);
    if (after != free.begin())
      if (auto before = std::prev(after); before->first + before->second == begin) {
        begin = before->first;
        bytes += before->second;
        free.erase(before);
      }
    if (after != free.end() && begin + bytes == after->first) {
      bytes += after->second;
      free.erase(after);
    }
    if (bytes >= pieceBytes && munmap(begin, bytes) == 0)
      return;
    free[begin] = bytes;
  }
};

// Never destroyed: code may still run on other threads while the process exits.
Ranges &ranges() {
  static auto *only = new Ranges;
  return *only;
}

} // namespace

char *take(size_t bytes) {
  bytes = wholePages(bytes);
  Ranges &all = ranges();
  std::lock_guard guard(all.lock);
  if (char *found = all.find(bytes))
    return found;
  size_t piece = std::max(bytes, pieceBytes);
  void *made = mmap(nullptr, piece, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED)
    return nullptr;
  auto *begin = static_cast<char *>(made);
  if (piece > bytes)
    all.free[begin + bytes] = piece - bytes;
  return begin;
}

bool write(char *code, const char *content, size_t bytes) {
  size_t pages = wholePages(bytes);
  if (mprotect(code, pages, PROT_READ | PROT_WRITE) != 0)
    return false;
  std::memcpy(code, content, bytes);
  __builtin___clear_cache(code, code + bytes);
  return mprotect(code, pages, PROT_READ | PROT_EXEC) == 0;
}

void give(char *code, size_t bytes) {
  Ranges &all = ranges();
  std::lock_guard guard(all.lock);
  all.add(code, wholePages(bytes));
}

char *takeData(const char *code, size_t bytes) {
  constexpr int64_t step = int64_t(1) << 24, farthest = int64_t(1) << 30;
  auto base = reinterpret_cast<int64_t>(code);
  // The machine takes the address for a wish; in a large process most places near by may be full.
  for (int64_t distance = step; distance < farthest; distance += step)
    for (int64_t wish : {base + distance, base - distance}) {
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address that nothing lies at
      void *made = mmap(reinterpret_cast<void *>(wish), bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (made == MAP_FAILED)
        return nullptr;
      if (std::abs(reinterpret_cast<int64_t>(made) - base) < farthest)
        return static_cast<char *>(made);
      munmap(made, bytes);
    }
  return nullptr;
}

} // namespace trisect::cpu::codememory
