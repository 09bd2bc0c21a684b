//===- EmulatedDevice.cpp - linker, worker, launches ----------------------------------------------------===//
#include "backends/cpu/emulated/EmulatedDevice.h"
#include "backends/cpu/emulated/Messages.h"
#include "backends/cpu/emulated/SharedMemory.h"
#include "core/support/Files.h"
#include "core/support/Hash.h"
#include "core/support/Outcome.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <map>
#include <spawn.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace trisect::cpu {

namespace fs = std::filesystem;

namespace {
std::vector<std::string> wordsOf(const std::string &command) {
  std::istringstream stream(command);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// `files`: what the program has as its files from 3 on, in place of those here.
pid_t start(std::vector<std::string> words, const std::vector<int> &files) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (size_t n = 0; n < files.size(); ++n)
    posix_spawn_file_actions_adddup2(&actions, files[n], workerSocket + static_cast<int>(n));
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  int error = words.empty() ? ENOENT : posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0)
    throw InvalidInput("cannot start '" + (words.empty() ? "" : words.front()) +
                       "': " + std::strerror(error));
  return child;
}

/// How a process ended.
std::string textOf(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                             : "exit status " + std::to_string(WEXITSTATUS(status));
}

/// A folder that goes with its owner.
class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "trisect-emulated-XXXXXX").string();
    if (!mkdtemp(name.data()))
      throw EngineError("cannot make a folder like " + name);
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  fs::path path;
};

class WorkerProcess {
public:
  WorkerProcess(const EmulatorCommands &commands, SharedMemory &memory)
      : commands(commands), memory(memory) {}
  ~WorkerProcess() { stop(); }
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  void ensureStarted() {
    if (child != 0)
      return;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
      throw EngineError("cannot make a socket for an emulator");
    // Away from the numbers that the worker has its own under; the child closes these by itself.
    int theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 16), file = fcntl(memory.file(), F_DUPFD_CLOEXEC, 16);
    socket = fcntl(ends[0], F_DUPFD_CLOEXEC, 16);
    close(ends[0]);
    close(ends[1]);
    try {
      child = start(wordsOf(commands.worker), {theirs, file});
    } catch (...) {
      close(theirs);
      close(file);
      close(socket);
      throw;
    }
    close(theirs);
    close(file);
    std::optional<std::string> hello = receiveMessage(socket, milliseconds());
    if (!hello)
      throw InvalidInput("the worker '" + commands.worker + "' did not start: " + stop());
    memory.liesAt(unpackAnswer(*hello).memory);
  }

  LaunchAnswer ask(const LaunchOrder &order) {
    std::optional<std::string> answer;
    if (child != 0 && sendMessage(socket, pack(order)))
      answer = receiveMessage(socket, milliseconds());
    if (answer)
      return unpackAnswer(*answer);
    throw EngineError("the emulated program ended, or took more than " +
                      std::to_string(commands.limitSeconds) + " s: " + stop());
  }

private:
  int milliseconds() const { return static_cast<int>(commands.limitSeconds * 1000); }

  /// How it ended. One that waits ends with its socket; one that does not is ended.
  std::string stop() {
    if (child == 0)
      return "";
    constexpr int mostWaits = 40;
    close(socket);
    int status = 0, waits = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
      if (++waits == mostWaits)
        kill(child, SIGKILL);
      usleep(5000);
    }
    child = 0;
    return textOf(status);
  }

  const EmulatorCommands &commands;
  SharedMemory &memory;
  pid_t child = 0; ///< 0: none runs
  int socket = -1;
};

class EmulatedDevice;

class EmulatedExecutable final : public Executable {
public:
  EmulatedExecutable(EmulatedDevice &device, LaunchOrder order, NumericProfile profile)
      : device(device), order(std::move(order)), profile(profile) {}
  void launch(const LaunchRequest &request) override;
  bool wantsTensors() const override { return false; }
  NumericProfile numerics() const override { return profile; }

private:
  EmulatedDevice &device;
  LaunchOrder order;
  NumericProfile profile;
};

class EmulatedDevice final : public Device {
public:
  explicit EmulatedDevice(const EmulatorCommands &commands)
      : commands(commands), process(this->commands, shared) {
    process.ensureStarted();
  }

  std::string_view name() const override { return "emulated"; }
  MemorySpace &memory() override { return shared; }

  // A worker that ended in the launch before comes back here, not in a launch, whose memory would move.
  std::unique_ptr<Executable> load(std::shared_ptr<const Artifact> artifact) override {
    if (artifact->target != "cpu")
      throw InvalidInput("emulated: kernel " + artifact->kernel + " was compiled for " + artifact->target);
    process.ensureStarted();
    LaunchOrder order;
    order.library = libraryOf(artifact->code);
    Artifact rest = *artifact;
    rest.code.clear();
    order.artifact = serialize(rest);
    return std::make_unique<EmulatedExecutable>(*this, std::move(order), artifact->numerics);
  }

  LaunchAnswer ask(const LaunchOrder &order) { return process.ask(order); }

private:
  /// The same file for the same code.
  const std::string &libraryOf(const std::string &code) {
    std::string &library = libraries[hashBytes(code).hex()];
    if (!library.empty())
      return library;
    std::string stem = (folder.path / std::to_string(libraries.size())).string(), object = stem + ".o";
    writeFile(object, {code});
    std::vector<std::string> words = wordsOf(commands.linker);
    for (const std::string &word : {std::string("-shared"), std::string("-o"), stem + ".so", object})
      words.push_back(word);
    int status = 0;
    if (waitpid(start(words, {}), &status, 0) < 0 || status != 0)
      throw EngineError("'" + commands.linker + "' did not link the kernel: " + textOf(status));
    fs::remove(object);
    return library = stem + ".so";
  }

  EmulatorCommands commands;
  Folder folder;
  SharedMemory shared;
  WorkerProcess process;
  std::map<std::string, std::string> libraries; ///< by the digest of the object
};

void EmulatedExecutable::launch(const LaunchRequest &request) {
  order.grid = request.grid;
  order.arguments.assign(request.args.begin(), request.args.end());
  order.programs = request.programs();
  order.threads = request.threads;
  order.atomics = request.atomics;
  LaunchAnswer answer = device.ask(order);
  switch (answer.kind) {
  case LaunchAnswer::Kind::Done:
    return;
  case LaunchAnswer::Kind::Fault: {
    Fault fault;
    fault.kind = answer.fault;
    fault.position = answer.position;
    fault.message = answer.message;
    throw KernelFault(std::move(fault));
  }
  case LaunchAnswer::Kind::Unsupported:
    throw Unsupported(answer.message, answer.position);
  case LaunchAnswer::Kind::Error:
    break;
  }
  throw EngineError("emulated: " + answer.message);
}
} // namespace

std::unique_ptr<Device> emulatedDevice(const EmulatorCommands &commands) {
  return std::make_unique<EmulatedDevice>(commands);
}

} // namespace trisect::cpu
