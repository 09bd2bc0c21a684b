//===- Messages.h - what a program in an emulator is asked ----------------------------------------------===//
//
// What: the two messages between a process that compiles for another processor and its worker, a program of
// that processor in an emulator, and how they go over a socket: length, then fields. Why: kernels run with
// the launcher, the runtime and the C library that they run with on such a machine. Limits: both ends are of
// one build and one byte order.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMULATED_MESSAGES_H
#define TRISECT_BACKENDS_CPU_EMULATED_MESSAGES_H

#include "core/support/Launch.h"
#include "core/support/Outcome.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::cpu {

/// Files that a worker is started with: the socket, and the memory that both map.
inline constexpr int workerSocket = 3, workerMemory = 4;

/// One launch.
struct LaunchOrder {
  std::string library;  ///< path of the shared library that the kernel's code was linked to
  std::string artifact; ///< as serialize() gives it; its code is in the library
  Grid grid;
  std::vector<ArgBits> arguments;
  ProgramRange programs;
  unsigned threads = 0;
  AtomicsForm atomics = AtomicsForm::Found;
};

/// What became of a launch. The first one of a worker comes unasked and says where the memory lies there.
struct LaunchAnswer {
  enum class Kind : uint8_t { Done, Fault, Unsupported, Error };
  Kind kind = Kind::Done;
  FaultKind fault = FaultKind::Assert;
  SourcePosition position;
  std::string message;
  uint64_t memory = 0;
};

std::string pack(LaunchOrder order);
std::string pack(LaunchAnswer answer);
/// They throw InvalidInput.
LaunchOrder unpackOrder(std::string_view bytes);
LaunchAnswer unpackAnswer(std::string_view bytes);

/// False if the other end is gone.
bool sendMessage(int socket, std::string_view bytes);
/// Nothing if the other end is gone, or says nothing for so long; negative: it may take any time.
std::optional<std::string> receiveMessage(int socket, int milliseconds);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMULATED_MESSAGES_H
