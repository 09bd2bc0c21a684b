//===- OpenFile.cpp - who could have written there ------------------------------------------------------===//
#include "jit/cache/OpenFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trisect::jit {

namespace {
constexpr off_t largest = off_t(1) << 30;

/// As a clause; empty: nobody.
std::string strangers(const struct stat &facts, bool stickyHelps) {
  if (facts.st_uid != 0 && facts.st_uid != geteuid())
    return "it belongs to user " + std::to_string(facts.st_uid) + ", who could put any code there";
  // In a sticky folder, such as /tmp, nobody can replace what belongs to somebody else.
  if ((facts.st_mode & S_IWOTH) && !(stickyHelps && (facts.st_mode & S_ISVTX)))
    return "everybody may write to it";
  return "";
}
} // namespace

OpenFile::~OpenFile() {
  if (descriptor >= 0)
    close(descriptor);
}

std::optional<std::string> OpenFile::readAll() const {
  struct stat facts{};
  if (fstat(descriptor, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > largest)
    return std::nullopt;
  std::string content(static_cast<size_t>(facts.st_size), '\0');
  size_t have = 0;
  while (have < content.size()) {
    ssize_t got = read(descriptor, content.data() + have, content.size() - have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    have += static_cast<size_t>(got);
  }
  content.resize(have);
  return content;
}

bool OpenFile::writeAll(std::string_view content) const {
  while (!content.empty()) {
    ssize_t took = write(descriptor, content.data(), content.size());
    if (took < 0 && errno == EINTR)
      continue;
    if (took <= 0)
      return false;
    content.remove_prefix(static_cast<size_t>(took));
  }
  return true;
}

OpenFile openFolder(const std::string &path, std::string &problem) {
  OpenFile folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat own{}, above{};
  if (!folder || fstat(folder.get(), &own) != 0) {
    problem = errno == ENOENT ? "" : std::strerror(errno);
    return OpenFile();
  }
  problem = strangers(own, false);
  if (problem.empty() && fstatat(folder.get(), "..", &above, 0) == 0)
    problem = strangers(above, true);
  return problem.empty() ? std::move(folder) : OpenFile();
}

OpenFile openIn(const OpenFile &folder, const std::string &name, int flags, std::string &problem) {
  OpenFile file(openat(folder.get(), name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0644));
  struct stat facts{};
  if (!file || fstat(file.get(), &facts) != 0) {
    problem = errno == ENOENT ? "" : std::strerror(errno);
    return OpenFile();
  }
  problem = S_ISREG(facts.st_mode) ? strangers(facts, false) : name + " is no file";
  return problem.empty() ? std::move(file) : OpenFile();
}

} // namespace trisect::jit
