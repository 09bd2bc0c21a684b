//===- Files.cpp - through stdio, which keeps the reason ------------------------------------------------===//
#include "core/support/Files.h"
#include "core/support/Outcome.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace trisect {

namespace {
[[noreturn]] void cannot(const char *what, const std::string &path, int reason) {
  throw InvalidInput(std::string("cannot ") + what + " '" + path + "': " + std::strerror(reason));
}
} // namespace

std::string readFile(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    cannot("read", path, errno);
  std::string bytes;
  std::vector<char> chunk(1 << 16);
  while (size_t got = std::fread(chunk.data(), 1, chunk.size(), file))
    bytes.append(chunk.data(), got);
  int reason = std::ferror(file) ? errno : 0;
  std::fclose(file);
  if (reason)
    cannot("read", path, reason);
  return bytes;
}

void writeFile(const std::string &path, std::initializer_list<std::string_view> pieces) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    cannot("write", path, errno);
  int reason = 0;
  for (std::string_view piece : pieces)
    if (!reason && std::fwrite(piece.data(), 1, piece.size(), file) != piece.size())
      reason = errno;
  if (std::fclose(file) != 0 && !reason)
    reason = errno;
  if (reason)
    cannot("write", path, reason);
}

} // namespace trisect
