//===- Packing.h - fields as bytes ----------------------------------------------------------------------===//
//
// What: a writer and a reader with the same calls, so that one description of a format serves both
// directions: numbers as eight little-endian bytes, texts and lists behind their length. Why: files that
// another process wrote, or somebody damaged, must be read without trust. Limits: the reader throws
// InvalidInput.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_PACKING_H
#define TRISECT_CORE_SUPPORT_PACKING_H

#include "core/support/Outcome.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace trisect {

class Packer {
public:
  std::string bytes;

  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void field(T &value) {
    auto number = static_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8)
      bytes += static_cast<char>(number >> shift);
  }
  void field(std::string &text) {
    size_t size = text.size();
    field(size);
    bytes += text;
  }
  template <class T> size_t length(std::vector<T> &list) {
    size_t size = list.size();
    field(size);
    return size;
  }
};

class Unpacker {
public:
  /// `what` the bytes are, for errors: `a compiled kernel`.
  Unpacker(std::string_view bytes, const char *what) : rest(bytes), what(what) {}

  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void field(T &value) {
    std::string_view eight = take(8);
    uint64_t number = 0;
    for (int i = 7; i >= 0; --i)
      number = number << 8 | static_cast<uint8_t>(eight[static_cast<size_t>(i)]);
    value = static_cast<T>(number);
  }
  void field(std::string &text) {
    size_t size = 0;
    field(size);
    text = take(size);
  }
  template <class T> size_t length(std::vector<T> &list) {
    size_t size = 0;
    field(size);
    // Every element takes eight bytes or more.
    if (size > rest.size() / 8)
      throw InvalidInput(std::string(what) + " ends before its end");
    list.resize(size);
    return size;
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::string_view take(size_t size) {
    if (size > rest.size())
      throw InvalidInput(std::string(what) + " ends before its end");
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  std::string_view rest;
  const char *what;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_PACKING_H
