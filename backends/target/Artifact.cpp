//===- Artifact.cpp - artifacts as bytes ----------------------------------------------------------------===//
//
// A file is a line that names the format and its version, the SHA-256 of the rest, and the fields in their
// order (core/support/Packing.h).
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/target/Artifact.h"
#include "core/support/Hash.h"
#include "core/support/Packing.h"
#include <algorithm>

namespace trisect {

namespace {
constexpr std::string_view heading = "trisect artifact 6\n";

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
  coder.field(path.late);
  coder.field(path.kept);
  coder.field(path.within);
}
template <class Coder> void code(Coder &coder, SourceSpan &span) {
  coder.field(span.file);
  coder.field(span.firstLine);
  coder.field(span.lastLine);
}
template <class Coder> void code(Coder &coder, FormulaStep &step) {
  coder.field(step.kind);
  coder.field(step.value);
}
template <class Coder> void code(Coder &coder, Guard &guard);
template <class Coder> void code(Coder &coder, Streamed &streamed);
template <class Coder, class T> void code(Coder &coder, std::vector<T> &list) {
  for (size_t i = 0, size = coder.length(list); i < size; ++i)
    code(coder, list[i]);
}
template <class Coder> void code(Coder &coder, Streamed &streamed) {
  coder.field(streamed.bytes);
  code(coder, streamed.rounds);
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
  coder.field(artifact.atomics);
  code(coder, artifact.plainArguments);
  code(coder, artifact.streamed);
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
  Packer writer;
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
  Unpacker reader(body, "a compiled kernel");
  code(reader, artifact);
  if (!reader.atEnd())
    throw InvalidInput("a compiled kernel goes on after its end");
  return artifact;
}

} // namespace trisect
