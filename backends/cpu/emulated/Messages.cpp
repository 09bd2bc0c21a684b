//===- Messages.cpp - fields and sockets ----------------------------------------------------------------===//
#include "backends/cpu/emulated/Messages.h"
#include "core/support/Packing.h"
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>

namespace trisect::cpu {

namespace {
template <class Coder> void code(Coder &coder, LaunchOrder &order) {
  coder.field(order.library);
  coder.field(order.artifact);
  coder.field(order.grid.x);
  coder.field(order.grid.y);
  coder.field(order.grid.z);
  for (size_t n = 0, size = coder.length(order.arguments); n < size; ++n)
    coder.field(order.arguments[n]);
  coder.field(order.programs.first);
  coder.field(order.programs.count);
  coder.field(order.threads);
  coder.field(order.atomics);
}

template <class Coder> void code(Coder &coder, LaunchAnswer &answer) {
  coder.field(answer.kind);
  coder.field(answer.fault);
  coder.field(answer.position.file);
  coder.field(answer.position.line);
  coder.field(answer.position.column);
  coder.field(answer.message);
  coder.field(answer.memory);
}

template <class Message> std::string packed(Message &message) {
  Packer packer;
  code(packer, message);
  return packer.bytes;
}

template <class Message> Message unpacked(std::string_view bytes) {
  Message message;
  Unpacker unpacker(bytes, "a message of a worker");
  code(unpacker, message);
  return message;
}

bool receive(int socket, char *to, size_t bytes, int milliseconds) {
  while (bytes > 0) {
    pollfd ready{socket, POLLIN, 0};
    int events = poll(&ready, 1, milliseconds);
    if (events < 0 && errno == EINTR)
      continue;
    if (events <= 0)
      return false;
    ssize_t got = recv(socket, to, bytes, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    to += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool sendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}
} // namespace

std::string pack(LaunchOrder order) { return packed(order); }
std::string pack(LaunchAnswer answer) { return packed(answer); }
LaunchOrder unpackOrder(std::string_view bytes) { return unpacked<LaunchOrder>(bytes); }
LaunchAnswer unpackAnswer(std::string_view bytes) { return unpacked<LaunchAnswer>(bytes); }

bool sendMessage(int socket, std::string_view bytes) {
  uint64_t size = bytes.size();
  char length[sizeof size];
  std::memcpy(length, &size, sizeof size);
  return sendAll(socket, {length, sizeof length}) && sendAll(socket, bytes);
}

std::optional<std::string> receiveMessage(int socket, int milliseconds) {
  uint64_t size = 0;
  char length[sizeof size];
  if (!receive(socket, length, sizeof length, milliseconds))
    return std::nullopt;
  std::memcpy(&size, length, sizeof size);
  std::string bytes(size, '\0');
  if (!receive(socket, bytes.data(), size, milliseconds))
    return std::nullopt;
  return bytes;
}

} // namespace trisect::cpu
