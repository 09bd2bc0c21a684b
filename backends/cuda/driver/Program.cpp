//===- Program.cpp - starting programs and their files --------------------------------------------------===//
#include "backends/cuda/driver/Program.h"
#include "core/support/Outcome.h"
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace trisect::cuda::driver {

namespace {
/// A pipe whose ends other programs started meanwhile do not inherit.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw EngineError(std::string("no pipe for another program: ") + std::strerror(errno));
  }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  void closeEnd(int which) {
    if (ends[which] >= 0)
      close(ends[which]);
    ends[which] = -1;
  }
};

std::string drain(int from) {
  std::string text;
  std::array<char, 4096> piece;
  while (true) {
    ssize_t got = ::read(from, piece.data(), piece.size());
    if (got > 0)
      text.append(piece.data(), static_cast<size_t>(got));
    else if (got == 0 || errno != EINTR)
      return text;
  }
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
} // namespace

ProgramRun runProgram(const std::vector<std::string> &command) {
  Pipe pipe;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipe.ends[1], 2);
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  int failed = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    throw EngineError("cannot start " + command[0] + ": " + std::strerror(failed));
  pipe.closeEnd(1);
  ProgramRun run;
  run.output = drain(pipe.ends[0]);
  run.status = waitFor(child);
  return run;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code failed;
  std::filesystem::path root = std::filesystem::temp_directory_path(failed);
  std::string pattern = (failed ? "/tmp" : root.string()) + "/trisect-XXXXXX";
  if (!mkdtemp(pattern.data()))
    throw EngineError("cannot make a folder " + pattern + ": " + std::strerror(errno));
  path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream out(path, std::ios::binary);
  if (!out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
    throw EngineError("cannot write " + path);
}

std::string readFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw EngineError("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

} // namespace trisect::cuda::driver
