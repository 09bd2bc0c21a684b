//===- Artifact.cpp - artifacts as bytes ----------------------------------------------------------------===//
//
// A file is a line that names the format and its version, the SHA-256 of the rest, and the fields in their
// order: numbers as eight little-endian bytes, texts and lists behind their length.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/target/Artifact.h"
#include "core/support/Hash.h"
#include <algorithm>
#include <type_traits>

namespace trisect {

namespace {
constexpr std::string_view heading = "trisect artifact 3\n";

class Writer {
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

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

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
      throw InvalidInput("a compiled kernel ends before its end");
    list.resize(size);
    return size;
  }
  bool atEnd() const { return rest.empty(); }

private:
  std::string_view take(size_t size) {
    if (size > rest.size())
      throw InvalidInput("a compiled kernel ends before its end");
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  std::string_view rest;
};

// One description of the format for both directions.
template <class Coder> void code(Coder &coder, uint32_t &number) { coder.field(number); }
template <class Coder> void code(Coder &coder, Stage &stage) {
  coder.field(stage.name);
  coder.field(stage.content);
  coder.field(stage.binary);
}
template <class Coder> void code(Coder &coder, SourcePosition &position) {
  coder.field(position.file);
  coder.field(position.line);
  coder.field(position.column);
}
template <class Coder> void code(Coder &coder, Assertion &assertion) {
  coder.field(assertion.kind);
  coder.field(assertion.message);
  code(coder, assertion.position);
}
template <class Coder> void code(Coder &coder, WaitPlace &place) {
  code(coder, place.reads);
  code(coder, place.loop);
  coder.field(place.blocks);
}
template <class Coder> void code(Coder &coder, Path &path) {
  coder.field(path.purpose);
  code(coder, path.position);
}
template <class Coder> void code(Coder &coder, SourceSpan &span) {
  coder.field(span.file);
  coder.field(span.firstLine);
  coder.field(span.lastLine);
}
template <class Coder, class T> void code(Coder &coder, std::vector<T> &list) {
  for (size_t i = 0, size = coder.length(list); i < size; ++i)
    code(coder, list[i]);
}
template <class Coder> void code(Coder &coder, Guard &guard) {
  coder.field(guard.kind);
  code(coder, guard.arguments);
}
template <class Coder> void code(Coder &coder, Resources &resources) {
  coder.field(resources.scratchBytes);
  coder.field(resources.sharedBytes);
  coder.field(resources.registers);
  coder.field(resources.spills);
  coder.field(resources.maxThreads);
  coder.field(resources.warps);
}
template <class Coder> void code(Coder &coder, Artifact &artifact) {
  coder.field(artifact.target);
  coder.field(artifact.isa);
  coder.field(artifact.kernel);
  coder.field(artifact.symbol);
  coder.field(artifact.abi);
  coder.field(artifact.numerics);
  coder.field(artifact.code);
  code(coder, artifact.stages);
  code(coder, artifact.resources);
  code(coder, artifact.guards);
  code(coder, artifact.asserts);
  code(coder, artifact.waits);
  code(coder, artifact.paths);
  code(coder, artifact.sources);
  coder.field(artifact.info);
}
} // namespace

const Stage *Artifact::stage(std::string_view name) const {
  auto found =
      std::find_if(stages.begin(), stages.end(), [&](const Stage &stage) { return stage.name == name; });
  return found == stages.end() ? nullptr : &*found;
}

std::string serialize(const Artifact &artifact) {
  Writer writer;
  Artifact copy = artifact;
  code(writer, copy);
  Digest digest = hashBytes(writer.bytes);
  return std::string(heading) + digest.hex() + "\n" + writer.bytes;
}

Artifact deserialize(std::string_view bytes) {
  constexpr size_t digits = 64;
  size_t start = heading.size() + digits + 1;
  if (bytes.size() < start || bytes.substr(0, heading.size()) != heading)
    throw InvalidInput("this is no compiled kernel, or one of another release");
  std::string_view body = bytes.substr(start);
  if (hashBytes(body).hex() != bytes.substr(heading.size(), digits) || bytes[start - 1] != '\n')
    throw InvalidInput("a compiled kernel is damaged: its checksum is wrong");
  Artifact artifact;
  Reader reader(body);
  code(reader, artifact);
  if (!reader.atEnd())
    throw InvalidInput("a compiled kernel goes on after its end");
  return artifact;
}

} // namespace trisect
