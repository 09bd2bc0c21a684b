//===- Archive.cpp - the .ttir files of a folder or of a tar archive ------------------------------------===//
#include "core/tools/corpus/Archive.h"
#include "core/support/Files.h"
#include "core/support/Outcome.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace trisect::corpus {

namespace fs = std::filesystem;

/// What a program writes to its standard output.
static std::string outputOf(std::vector<std::string> command) {
  int ends[2];
  if (pipe(ends) != 0)
    throw EngineError("cannot make a pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::vector<char *> argv;
  for (std::string &word : command)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string output;
  std::vector<char> chunk(1 << 20);
  for (ssize_t got; error == 0 && (got = read(ends[0], chunk.data(), chunk.size())) > 0;)
    output.append(chunk.data(), got);
  close(ends[0]);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child || status != 0)
    throw InvalidInput("'" + command.front() + "' failed on " + command.back());
  return output;
}

namespace {
/// The fields of a tar header that matter here.
struct TarHeader {
  std::string name;
  char kind;
  size_t size;

  TarHeader(const char *block)
      : name(field(block, 100)), kind(block[156]),
        size(std::strtoull(field(block + 124, 12).c_str(), nullptr, 8)) {
    bool ustar = std::memcmp(block + 257, "ustar", 5) == 0;
    if (std::string prefix = ustar ? field(block + 345, 155) : std::string(); !prefix.empty())
      name = prefix + "/" + name;
  }

private:
  static std::string field(const char *text, size_t length) { return {text, strnlen(text, length)}; }
};
} // namespace

static bool isModule(const std::string &name) { return name.ends_with(".ttir"); }

static std::vector<ModuleText> readTar(const std::string &archive) {
  constexpr size_t blockSize = 512;
  std::vector<ModuleText> modules;
  std::string longName;
  for (size_t at = 0; at + blockSize <= archive.size() && archive[at] != 0;) {
    TarHeader header(archive.data() + at);
    at += blockSize;
    if (header.size > archive.size() - at)
      throw InvalidInput("the archive ends inside " + header.name);
    std::string name = longName.empty() ? header.name : longName;
    longName.clear();
    if (header.kind == 'L')
      longName = archive.substr(at, header.size).c_str();
    else if ((header.kind == '0' || header.kind == 0) && isModule(name))
      modules.push_back({name, archive.substr(at, header.size)});
    at += (header.size + blockSize - 1) / blockSize * blockSize;
  }
  return modules;
}

static std::vector<ModuleText> readFolder(const fs::path &folder) {
  std::vector<ModuleText> modules;
  for (const auto &entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && isModule(entry.path()))
      modules.push_back({fs::relative(entry.path(), folder), readFile(entry.path())});
  return modules;
}

std::vector<ModuleText> readModules(const std::string &path) {
  std::vector<ModuleText> modules;
  if (!fs::exists(path))
    throw InvalidInput(path +
                       ": expected a folder or an archive (.tar, .tar.xz, .tar.gz), but nothing is there");
  if (fs::is_directory(path))
    modules = readFolder(path);
  else if (path.ends_with(".xz"))
    modules = readTar(outputOf({"xz", "-dc", "--", path}));
  else if (path.ends_with(".gz"))
    modules = readTar(outputOf({"gzip", "-dc", "--", path}));
  else
    modules = readTar(readFile(path));
  if (modules.empty())
    throw InvalidInput(path + ": expected .ttir files, but found none");
  std::sort(modules.begin(), modules.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
  return modules;
}

} // namespace trisect::corpus
