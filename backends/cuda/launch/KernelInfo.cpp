//===- KernelInfo.cpp - KernelInfo as bytes -------------------------------------------------------------===//
//
// Numbers in decimal, each behind one space; texts as their length and their bytes.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/cuda/launch/KernelInfo.h"
#include "core/support/Outcome.h"
#include <charconv>

namespace trisect::cuda {

namespace {
class Writer {
public:
  std::string bytes;
  template <class T> void number(T &value) { bytes += std::to_string(static_cast<int64_t>(value)) + " "; }
  void text(std::string &value) {
    size_t size = value.size();
    number(size);
    bytes += value;
  }
  template <class T> void length(std::vector<T> &list) {
    size_t size = list.size();
    number(size);
  }
};

class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}
  bool atEnd() const { return rest.empty(); }
  template <class T> void number(T &value) {
    int64_t wide = 0;
    auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), wide);
    if (failed != std::errc() || end == rest.data() + rest.size() || *end != ' ')
      throw InvalidInput("what is known of a compiled kernel is damaged");
    rest.remove_prefix(static_cast<size_t>(end - rest.data()) + 1);
    value = static_cast<T>(wide);
  }
  void text(std::string &value) {
    value = rest.substr(0, size());
    rest.remove_prefix(value.size());
  }
  template <class T> void length(std::vector<T> &list) { list.resize(size()); }

private:
  size_t size() {
    size_t size = 0;
    number(size);
    // Every element of a list takes two bytes or more.
    if (size > rest.size())
      throw InvalidInput("what is known of a compiled kernel ends before its end");
    return size;
  }
  std::string_view rest;
};

// One description of the format for both directions.
template <class Coder> void code(Coder &coder, RecordSite::Operand &operand) {
  coder.number(operand.type);
  coder.number(operand.isSigned);
  coder.number(operand.isTensor);
  coder.length(operand.shape);
  for (int64_t &extent : operand.shape)
    coder.number(extent);
}
template <class Coder> void code(Coder &coder, RecordSite &site) {
  coder.number(site.kind);
  coder.text(site.text);
  coder.text(site.position.file);
  coder.number(site.position.line);
  coder.number(site.position.column);
  coder.number(site.hex);
  coder.length(site.operands);
  for (RecordSite::Operand &operand : site.operands)
    code(coder, operand);
}
template <class Coder> void code(Coder &coder, OverlapQuestion &question) {
  coder.number(question.earlier);
  coder.number(question.later);
  coder.number(question.ahead);
  coder.number(question.earlierBytes);
  coder.number(question.laterBytes);
  coder.number(question.drop);
  coder.number(question.sameIfEqual);
}
template <class Coder> void code(Coder &coder, KernelInfo &info) {
  coder.length(info.descriptorRanks);
  for (int8_t &rank : info.descriptorRanks)
    coder.number(rank);
  coder.number(info.cooperative);
  coder.number(info.dependent);
  coder.length(info.sites);
  for (RecordSite &site : info.sites)
    code(coder, site);
  coder.length(info.questions);
  for (OverlapQuestion &question : info.questions)
    code(coder, question);
}
} // namespace

std::string pack(const KernelInfo &info) {
  Writer writer;
  KernelInfo copy = info;
  code(writer, copy);
  return std::move(writer.bytes);
}

KernelInfo unpackKernelInfo(std::string_view bytes) {
  KernelInfo info;
  Reader reader(bytes);
  code(reader, info);
  if (!reader.atEnd())
    throw InvalidInput("what is known of a compiled kernel goes on after its end");
  for (const OverlapQuestion &question : info.questions)
    if (std::max(question.earlier, question.later) >= info.descriptorRanks.size())
      throw InvalidInput("what is known of a compiled kernel names an argument that it has not");
  return info;
}

} // namespace trisect::cuda
