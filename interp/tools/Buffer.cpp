//===- Buffer.cpp - words of arguments ------------------------------------------------------------------===//
#include "interp/tools/Buffer.h"
#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/exec/Value.h"
#include "interp/tools/Generators.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace trisect::tools {

using interp::fromDouble;

int64_t Buffer::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

uint64_t Buffer::bits(int64_t at) const {
  uint64_t bits = 0;
  std::memcpy(&bits, data.data() + at * byteSize(type), byteSize(type));
  return bits;
}

std::vector<std::string_view> parseList(std::string_view text) {
  if (text.find(']') != text.size() - 1)
    throw InvalidInput("a list begins with [ and ends with its ], not as '" + std::string(text) + "'");
  std::string_view inside = trim(text.substr(1, text.size() - 2));
  return inside.empty() ? std::vector<std::string_view>() : splitOutside(inside, ',');
}

std::vector<int64_t> parseExtents(std::string_view text, DType type) {
  static const auto memory =
      static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<int64_t>(sysconf(_SC_PAGESIZE));
  std::vector<int64_t> extents;
  int64_t bytes = byteSize(type);
  bool large = false;
  for (std::string_view word : splitOutside(text, ',')) {
    extents.push_back(wholeNumber(word, "an extent", 0, INT64_MAX));
    large |= __builtin_mul_overflow(bytes, extents.back(), &bytes) || bytes > memory;
  }
  if (large)
    throw InvalidInput("[" + std::string(text) + "] takes more than the " + std::to_string(memory >> 20) +
                       " MiB of this machine");
  return extents;
}

void Buffer::setBits(int64_t at, uint64_t bits) {
  std::memcpy(data.data() + at * byteSize(type), &bits, byteSize(type));
}

DType parseDType(std::string_view text) {
  for (int n = 0; n < numDTypes; ++n)
    if (name(static_cast<DType>(n)) == text)
      return static_cast<DType>(n);
  throw InvalidInput("'" + std::string(text) +
                     "' is no element type (i1 ... i64, f16, bf16, f32, f64, f8E5M2 ..., ptr)");
}

uint64_t parseBits(std::string_view text, DType type) {
  std::string word(trim(text));
  if (word == "true" || word == "false")
    return word == "true";
  char *end = nullptr;
  errno = 0;
  if (isFloat(type)) {
    double number = std::strtod(word.c_str(), &end);
    if (!word.empty() && !*end)
      return fromDouble(number, type);
  } else if (size_t sign = word.starts_with('-'); std::isdigit(static_cast<unsigned char>(word[sign]))) {
    uint64_t number = std::strtoull(word.c_str() + sign, &end, 0);
    unsigned bits = type == DType::I1 ? 1 : 8 * byteSize(type);
    uint64_t most = sign ? uint64_t(1) << (bits - 1) : ~uint64_t(0) >> (64 - bits);
    if (!*end && errno == 0 && number <= most)
      return interp::unsignedBits(sign ? 0 - number : number, type);
  }
  throw InvalidInput("'" + word + "' is no " + std::string(name(type)));
}

ArgBits Argument::bitsFor(DType parameter) const {
  if (descriptor)
    return reinterpret_cast<ArgBits>(descriptor.get());
  if (buffer)
    return buffer->address();
  if (parameter == DType::Ptr)
    return text == "null" ? 0 : parseBits(text, DType::I64);
  return parseBits(text, parameter);
}

void Argument::mustFit(DType parameter, int descriptorRank) const {
  std::string wanted = descriptorRank ? "a descriptor of " + std::to_string(descriptorRank) + " dimensions"
                                      : std::string(name(parameter));
  bool fits = descriptorRank ? descriptor && descriptor->rank == descriptorRank &&
                                   byteSize(buffer->type) == byteSize(parameter)
                             : !descriptor && (!buffer || parameter == DType::Ptr || parameter == DType::I64);
  if (!fits)
    throw InvalidInput("argument '" + text + "' does not fit: the kernel takes " + wanted +
                       (descriptorRank ? ", of " + std::string(name(parameter)) : ""));
}

namespace {

void fillList(Buffer &buffer, std::string_view list, const std::vector<Argument> &before) {
  std::vector<std::string_view> words = parseList(list);
  if (static_cast<int64_t>(words.size()) != buffer.elements())
    throw InvalidInput("a list of " + std::to_string(words.size()) + " values for a buffer of " +
                       std::to_string(buffer.elements()));
  for (size_t n = 0; n < words.size(); ++n) {
    std::string_view word = trim(words[n]);
    if (word.starts_with("%")) {
      size_t index = static_cast<size_t>(parseInteger(word.substr(1)).value_or(-1));
      if (index >= before.size() || !before[index].buffer)
        throw InvalidInput("'" + std::string(word) + "' is no buffer before this one");
      buffer.setBits(static_cast<int64_t>(n), before[index].buffer->address());
      continue;
    }
    buffer.setBits(static_cast<int64_t>(n), parseBits(word, buffer.type));
  }
}

// The file's elements may be of another type of the same size: NumPy has no name for some.
void fillFrom(Buffer &buffer, const std::string &path) {
  Buffer file = readNpy(path);
  if (file.data.size() != buffer.data.size())
    throw InvalidInput("'" + path + "' has " + std::to_string(file.data.size()) + " bytes for a buffer of " +
                       std::to_string(buffer.data.size()));
  buffer.data = std::move(file.data);
}

/// `type[extents]` and what stands behind it.
std::shared_ptr<Buffer> parseBuffer(std::string_view text, const std::vector<Argument> &before) {
  size_t open = text.find('['), close = text.find(']', open);
  if (close == std::string_view::npos)
    throw InvalidInput("the extents lack their ]");
  auto buffer = std::make_shared<Buffer>();
  buffer->type = parseDType(trim(text.substr(0, open)));
  buffer->shape = parseExtents(text.substr(open + 1, close - open - 1), buffer->type);
  buffer->data.assign(static_cast<size_t>(buffer->elements()) * byteSize(buffer->type), 0);
  std::string_view rest = trim(text.substr(close + 1));
  if (rest.empty())
    return buffer;
  if (!rest.starts_with(":"))
    throw InvalidInput("expected ':' after the extents");
  rest = trim(rest.substr(1));
  if (rest.starts_with("["))
    fillList(*buffer, rest, before);
  else if (rest.starts_with("@"))
    fillFrom(*buffer, std::string(rest.substr(1)));
  else
    generate(*buffer, rest);
  return buffer;
}

Argument read(std::string_view text, const std::vector<Argument> &before) {
  Argument argument;
  argument.text = std::string(text);
  bool descriptor = text.starts_with("desc ");
  bool nan = text.starts_with("desc nan ");
  if (descriptor)
    text = trim(text.substr(nan ? 9 : 5));
  if (text.starts_with("@"))
    argument.buffer = std::make_shared<Buffer>(readNpy(std::string(text.substr(1))));
  else if (text.find('[') != std::string_view::npos)
    argument.buffer = parseBuffer(text, before);
  else if (descriptor)
    throw InvalidInput("a descriptor is made of a buffer");
  if (descriptor) {
    auto made = std::make_shared<DescriptorArg>();
    const Buffer &buffer = *argument.buffer;
    if (buffer.shape.size() > 5)
      throw InvalidInput("a descriptor has at most 5 dimensions");
    made->address = buffer.address();
    made->rank = static_cast<int32_t>(buffer.shape.size());
    made->padding = nan ? 2 : 1;
    int64_t stride = 1;
    for (int d = made->rank - 1; d >= 0; --d) {
      made->shape[d] = buffer.shape[d];
      made->strides[d] = stride;
      stride *= buffer.shape[d];
    }
    argument.descriptor = made;
  }
  return argument;
}

} // namespace

Argument parseArgument(std::string_view text, const std::vector<Argument> &before) {
  text = trim(text);
  try {
    return read(text, before);
  } catch (const InvalidInput &error) {
    throw InvalidInput("argument '" + std::string(text) + "': " + error.what());
  }
}

std::vector<Argument> parseArguments(std::string_view text) {
  std::vector<Argument> all;
  for (std::string_view word : splitOutside(text, ';'))
    if (!trim(word).empty())
      all.push_back(parseArgument(word, all));
  return all;
}

} // namespace trisect::tools
