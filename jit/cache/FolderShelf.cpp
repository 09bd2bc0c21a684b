//===- FolderShelf.cpp - what may happen to a file meanwhile --------------------------------------------===//
#include "jit/cache/FolderShelf.h"
#include "core/support/ForkGate.h"
#include "core/support/Lasting.h"
#include "jit/cache/OpenFile.h"
#include "jit/cache/SizeLimit.h"
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace trisect::jit {

namespace {
constexpr time_t day = 24 * 60 * 60;

std::string temporaryName(const std::string &name) {
  static std::atomic<int> count{0};
  return "." + name + "." + std::to_string(getpid()) + "-" + std::to_string(count++) + ".tmp";
}

/// What was used lately goes last when there is too much.
void markUsed(const OpenFile &file) {
  struct stat facts{};
  if (fstat(file.get(), &facts) == 0 && std::time(nullptr) - facts.st_mtime > day)
    futimens(file.get(), nullptr);
}

/// Whether the name still leads to the open file.
bool isThere(const OpenFile &folder, const std::string &name, const OpenFile &file) {
  struct stat open{}, named{};
  return fstat(file.get(), &open) == 0 && fstatat(folder.get(), name.c_str(), &named, 0) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

/// Puts a whole file in its place; else errno, which is EEXIST only if another one is there and stays.
int giveName(const OpenFile &folder, const std::string &partial, const std::string &name, bool replace) {
  if (!replace) {
    if (linkat(folder.get(), partial.c_str(), folder.get(), name.c_str(), 0) == 0)
      return 0;
    if (errno == EEXIST || errno == ENOENT)
      return errno;
    // Not every file system has links.
  }
  return renameat(folder.get(), partial.c_str(), folder.get(), name.c_str()) == 0 ? 0 : errno;
}
} // namespace

void FolderShelf::tell(const std::string &reason) const {
  static ForkMutex lock;
  static Lasting<std::set<std::string>> told;
  std::lock_guard guard(lock);
  // Once for the cache, not for each kernel's folder.
  if (!reason.empty() && told->insert(folder.parent_path().string()).second)
    std::fprintf(stderr, "trisect: compiled forms are not kept in '%s': %s\n", folder.c_str(),
                 reason.c_str());
}

std::optional<std::string> FolderShelf::get(const std::string &name) {
  std::string problem;
  OpenFile place = openFolder(folder, problem);
  if (!place)
    return tell(problem), std::nullopt;
  OpenFile file = openIn(place, name, O_RDONLY, problem);
  if (!file)
    return tell(problem), std::nullopt;
  markUsed(file);
  return file.readAll();
}

bool FolderShelf::put(const std::string &name, const std::string &content, bool replace) {
  if (!keepsForms()) {
    keepWithinLimit(folder.parent_path(), 0); // what was kept before
    return true;
  }
  constexpr int mostTries = 2; // who removes the folder again and again wants nothing to be kept
  Put ended = Put::Gone;
  std::error_code failed;
  for (int n = 0; n < mostTries && ended == Put::Gone; ++n) {
    std::filesystem::create_directories(folder, failed);
    ended = tryPut(name, content, replace);
  }
  if (ended == Put::Gone && failed && failed != std::errc::no_such_file_or_directory)
    tell(failed.message());
  if (ended == Put::Done)
    keepWithinLimit(folder.parent_path(), content.size());
  return ended != Put::There;
}

FolderShelf::Put FolderShelf::tryPut(const std::string &name, const std::string &content, bool replace) {
  std::string problem;
  auto lost = [&] { return problem.empty() ? Put::Gone : (tell(problem), Put::Failed); };
  OpenFile place = openFolder(folder, problem);
  if (!place)
    return lost();
  std::string partial = temporaryName(name);
  {
    OpenFile file = openIn(place, partial, O_WRONLY | O_CREAT | O_EXCL, problem);
    if (!file)
      return lost();
    errno = 0;
    if (!file.writeAll(content))
      problem = std::strerror(errno ? errno : ENOSPC);
  }
  int error = problem.empty() ? giveName(place, partial, name, replace) : 0;
  unlinkat(place.get(), partial.c_str(), 0);
  if (error && error != EEXIST && error != ENOENT)
    problem = std::strerror(error);
  if (error == EEXIST)
    return Put::There;
  return error || !problem.empty() ? lost() : Put::Done;
}

void FolderShelf::append(const std::string &name, const std::string &more) {
  constexpr int mostTries = 4;
  for (int n = 0; n < mostTries; ++n) {
    std::string problem;
    OpenFile place = openFolder(folder, problem);
    OpenFile file = place ? openIn(place, name, O_WRONLY | O_APPEND, problem) : OpenFile();
    if (!file)
      return tell(problem);
    errno = 0;
    if (!file.writeAll(more))
      return tell(std::strerror(errno ? errno : ENOSPC));
    // Another process may have put a new file in its place.
    if (isThere(place, name, file))
      return;
  }
}

} // namespace trisect::jit
