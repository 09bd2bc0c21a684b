//===- Buffer.cpp - generators and scalars --------------------------------------------------------------===//
#include "interp/tools/Buffer.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/exec/Value.h"
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

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
  if (isFloat(type)) {
    double number = std::strtod(word.c_str(), &end);
    if (!word.empty() && !*end)
      return fromDouble(number, type);
  } else {
    bool negative = !word.empty() && word[0] == '-';
    uint64_t number = std::strtoull(word.c_str() + negative, &end, 0);
    if (!word.empty() && !*end && end != word.c_str() + negative)
      return interp::unsignedBits(negative ? 0 - number : number, type);
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

namespace {

/// A stream of numbers that depends on the seed alone (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// Close to normal, from sums alone so that every machine gives the same bits.
  double normal() {
    double sum = -6;
    for (int n = 0; n < 12; ++n)
      sum += uniform();
    return sum;
  }

private:
  uint64_t state;
};

/// A number in a buffer's type; integers wrap around.
uint64_t encode(double number, DType type) {
  return isFloat(type) ? fromDouble(number, type)
                       : interp::unsignedBits(static_cast<uint64_t>(static_cast<int64_t>(number)), type);
}

void fillList(Buffer &buffer, std::string_view list, const std::vector<Argument> &before) {
  auto words = splitOutside(list, ',');
  if (static_cast<int64_t>(words.size()) != buffer.elements())
    throw InvalidInput("a list of " + std::to_string(words.size()) + " values for a buffer of " +
                       std::to_string(buffer.elements()));
  for (size_t n = 0; n < words.size(); ++n) {
    std::string_view word = trim(words[n]);
    if (word.starts_with("%")) {
      size_t index = static_cast<size_t>(std::atoi(std::string(word.substr(1)).c_str()));
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

void generate(Buffer &buffer, std::string_view text) {
  size_t open = text.find('(');
  std::string kind(trim(text.substr(0, open)));
  std::vector<double> given;
  if (open != std::string_view::npos)
    for (std::string_view word : splitOutside(text.substr(open + 1, text.rfind(')') - open - 1), ','))
      given.push_back(std::strtod(std::string(word).c_str(), nullptr));
  auto at = [&](size_t n, double fallback) { return n < given.size() ? given[n] : fallback; };
  const double seed = at(0, 0); // or a value to fill with, which may be no seed
  Random random(seed >= 0 && seed < 0x1p63 ? static_cast<uint64_t>(seed) : 0);
  for (int64_t n = 0; n < buffer.elements(); ++n) {
    uint64_t bits;
    if (kind == "zeros")
      bits = 0;
    else if (kind == "fill")
      bits = encode(at(0, 0), buffer.type);
    else if (kind == "range")
      bits = encode(at(0, 0) + static_cast<double>(n) * at(1, 1), buffer.type);
    else if (kind == "rand")
      bits = encode(random.uniform(), buffer.type);
    else if (kind == "randn")
      bits = encode(random.normal(), buffer.type);
    else if (kind == "randint")
      bits = encode(std::floor(at(1, 0) + random.uniform() * (at(2, 2) - at(1, 0))), buffer.type);
    else if (kind == "bits")
      bits = static_cast<uint64_t>(n);
    else if (kind == "randbits")
      bits = random.next();
    else
      throw InvalidInput("unknown generator '" + kind +
                         "' (zeros, fill, range, rand, randn, randint, bits, randbits)");
    if (buffer.type == DType::I1)
      bits = bits != 0;
    buffer.setBits(n, bits);
  }
}

} // namespace

Argument parseArgument(std::string_view text, const std::vector<Argument> &before) {
  Argument argument;
  text = trim(text);
  argument.text = std::string(text);
  bool descriptor = text.starts_with("desc ");
  bool nan = text.starts_with("desc nan ");
  if (descriptor)
    text = trim(text.substr(nan ? 9 : 5));
  if (text.starts_with("@")) {
    argument.buffer = std::make_shared<Buffer>(readNpy(std::string(text.substr(1))));
  } else if (size_t open = text.find('['); open != std::string_view::npos) {
    auto buffer = std::make_shared<Buffer>();
    buffer->type = parseDType(trim(text.substr(0, open)));
    size_t close = text.find(']', open);
    if (close == std::string_view::npos)
      throw InvalidInput("'" + argument.text + "' lacks a ]");
    for (std::string_view word : splitOutside(text.substr(open + 1, close - open - 1), ','))
      buffer->shape.push_back(std::atoll(std::string(word).c_str()));
    if (buffer->elements() < 0 || buffer->elements() > int64_t(1) << 32)
      throw InvalidInput("'" + argument.text + "' has no sensible extent");
    buffer->data.assign(static_cast<size_t>(buffer->elements()) * byteSize(buffer->type), 0);
    std::string_view rest = trim(text.substr(close + 1));
    if (rest.starts_with(":")) {
      rest = trim(rest.substr(1));
      if (rest.starts_with("["))
        fillList(*buffer, rest.substr(1, rest.rfind(']') - 1), before);
      else if (rest.starts_with("@"))
        fillFrom(*buffer, std::string(rest.substr(1)));
      else
        generate(*buffer, rest);
    } else if (!rest.empty()) {
      throw InvalidInput("'" + argument.text + "': expected ':' after the extents");
    }
    argument.buffer = buffer;
  } else if (descriptor) {
    throw InvalidInput("'" + argument.text + "': a descriptor is made of a buffer");
  }
  if (descriptor) {
    auto made = std::make_shared<DescriptorArg>();
    const Buffer &buffer = *argument.buffer;
    if (buffer.shape.size() > 5)
      throw InvalidInput("'" + argument.text + "': a descriptor has at most 5 dimensions");
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

std::vector<Argument> parseArguments(std::string_view text) {
  std::vector<Argument> all;
  for (std::string_view word : splitOutside(text, ';'))
    if (!trim(word).empty())
      all.push_back(parseArgument(word, all));
  return all;
}

} // namespace trisect::tools
