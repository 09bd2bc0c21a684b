//===- PerfMap.cpp - lines in a file of this process ----------------------------------------------------===//
#include "backends/cpu/orc/PerfMap.h"
#include "core/support/ForkGate.h"
#include "core/support/Lasting.h"
#include "core/support/Options.h"
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace trisect::cpu::perfmap {

namespace {
struct Names {
  ForkMutex lock;
  std::map<uint64_t, std::string> lines; ///< of the kernels that are loaded
  bool begun = false;                    ///< this process has written to its file
};

// Never destroyed: kernels go when the process ends.
Lasting<Names> &names() {
  static Lasting<Names> all;
  return all;
}

/// When this process began, as files count time; 0 if that cannot be read.
time_t processBegan() {
  std::ifstream file("/proc/self/stat");
  std::string text, ticks;
  std::getline(file, text);
  std::istringstream rest(
      text.substr(std::min(text.size(), text.rfind(')') + 1))); // behind a name of any kind
  for (int field = 3; field <= 22; ++field)
    rest >> ticks;
  timespec up;
  if (!rest || clock_gettime(CLOCK_BOOTTIME, &up) != 0)
    return 0;
  return time(nullptr) - up.tv_sec + time_t(std::strtoull(ticks.c_str(), nullptr, 10)) / sysconf(_SC_CLK_TCK);
}

/// Appended, as others who know of code in this process do: Python names its functions there.
void write(Names &all, std::string_view text) {
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  struct stat found;
  if (!std::exchange(all.begun, true) && lstat(path.c_str(), &found) == 0 &&
      found.st_mtime + 2 < processBegan())
    flags |= O_TRUNC; // of a process that had the same number before
  int file = open(path.c_str(), flags, 0600);
  if (file < 0)
    return;
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0)
      break;
    text.remove_prefix(size_t(written));
  }
  close(file);
}

// perf looks for a file of the child's own number.
void writeChild() {
  Names &all = *names();
  all.begun = false;
  std::string text;
  for (const auto &[begin, line] : all.lines)
    text += line;
  if (!text.empty())
    write(all, text);
}
} // namespace

bool isWanted() { return optionFlag(OptionId::PerfMap); }

void add(uint64_t begin, uint64_t bytes, std::string_view kernel) {
  static const bool renewed = (inForkedChild(writeChild), true);
  (void)renewed;
  char numbers[48];
  std::snprintf(numbers, sizeof numbers, "%" PRIx64 " %" PRIx64 " trisect::", begin, bytes);
  Names &all = *names();
  std::lock_guard guard(all.lock);
  std::string &line = all.lines[begin];
  line = numbers + std::string(kernel) + "\n";
  write(all, line);
}

void remove(uint64_t begin) {
  Names &all = *names();
  std::lock_guard guard(all.lock);
  all.lines.erase(begin);
}

} // namespace trisect::cpu::perfmap
