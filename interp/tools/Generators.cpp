//===- Generators.cpp - buffers filled by a word --------------------------------------------------------===//
#include "interp/tools/Generators.h"
#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/exec/Format.h"
#include "interp/exec/Value.h"
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>
#include <ranges>

namespace trisect::tools {

namespace {

using interp::fromDouble;
using Words = std::vector<std::string_view>;
using Element = std::function<uint64_t(int64_t)>; ///< the bits of an element by its index

/// A stream of numbers that depends on the seed alone (splitmix64).
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) {}
  explicit Random(std::string_view seed)
      : Random(static_cast<uint64_t>(wholeNumber(seed, "a seed", 0, INT64_MAX))) {}
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

constexpr int64_t mostExact = int64_t(1) << 53; ///< up to here doubles hold every integer

Element range(const Words &words, const Buffer &buffer) {
  auto number = [&](size_t n, const char *what, double fallback) {
    return n < words.size() ? realNumber(words[n], what, -DBL_MAX, DBL_MAX) : fallback;
  };
  double start = number(0, "START", 0), step = number(1, "STEP", 1);
  double last = start + step * static_cast<double>(std::max<int64_t>(buffer.elements() - 1, 0));
  if (!isFloat(buffer.type) && std::max(std::fabs(start), std::fabs(last)) > 0x1p62)
    throw InvalidInput("the range leaves the integers of 64 bits");
  return [=, type = buffer.type](int64_t n) { return encode(start + static_cast<double>(n) * step, type); };
}

Element randomIntegers(const Words &words, const Buffer &buffer) {
  auto low = static_cast<double>(wholeNumber(words[1], "LOW", -mostExact, mostExact));
  auto high = static_cast<double>(wholeNumber(words[2], "HIGH", -mostExact, mostExact));
  if (low >= high)
    throw InvalidInput("LOW is below HIGH, which is not reached");
  return [=, random = Random(words[0]), type = buffer.type](int64_t) mutable {
    return encode(std::floor(low + random.uniform() * (high - low)), type);
  };
}

struct Generator {
  std::string_view name;
  const char *form;
  size_t least, most; ///< words in the brackets
  Element (*make)(const Words &words, const Buffer &buffer);
};
constexpr Generator generators[] = {
    {"zeros", "zeros", 0, 0,
     [](const Words &, const Buffer &) -> Element { return [](int64_t) { return 0; }; }},
    {"fill", "fill(X)", 1, 1,
     [](const Words &words, const Buffer &buffer) -> Element {
       return [bits = parseBits(words[0], buffer.type)](int64_t) { return bits; };
     }},
    {"range", "range(START, STEP)", 0, 2, range},
    {"rand", "rand(SEED)", 1, 1,
     [](const Words &words, const Buffer &buffer) -> Element {
       return [random = Random(words[0]), type = buffer.type](int64_t) mutable {
         return encode(random.uniform(), type);
       };
     }},
    {"randn", "randn(SEED)", 1, 1,
     [](const Words &words, const Buffer &buffer) -> Element {
       return [random = Random(words[0]), type = buffer.type](int64_t) mutable {
         return encode(random.normal(), type);
       };
     }},
    {"randint", "randint(SEED, LOW, HIGH)", 3, 3, randomIntegers},
    {"bits", "bits", 0, 0,
     [](const Words &, const Buffer &) -> Element {
       return [](int64_t n) { return static_cast<uint64_t>(n); };
     }},
    {"randbits", "randbits(SEED)", 1, 1,
     [](const Words &words, const Buffer &) -> Element {
       return [random = Random(words[0])](int64_t) mutable { return random.next(); };
     }},
};

const Generator &named(std::string_view name) {
  auto found = std::ranges::find(generators, name, &Generator::name);
  if (found != std::end(generators))
    return *found;
  throw InvalidInput("unknown generator '" + std::string(name) + "'; there are " +
                     listed(generators | std::views::transform(&Generator::form)));
}

} // namespace

void generate(Buffer &buffer, std::string_view text) {
  size_t open = std::min(text.find('('), text.size());
  const Generator &generator = named(trim(text.substr(0, open)));
  Words words;
  if (std::string_view rest = text.substr(open); !rest.empty()) {
    if (rest.find(')') != rest.size() - 1)
      throw InvalidInput("'" + std::string(text) + "' does not end with its bracket; write " +
                         generator.form);
    if (std::string_view inside = trim(rest.substr(1, rest.size() - 2)); !inside.empty())
      words = splitOutside(inside, ',');
  }
  if (words.size() < generator.least || words.size() > generator.most)
    throw InvalidInput("'" + std::string(text) + "' has " + std::to_string(words.size()) +
                       " words in brackets; write " + generator.form);
  Element element = generator.make(words, buffer);
  for (int64_t n = 0; n < buffer.elements(); ++n) {
    uint64_t bits = element(n);
    buffer.setBits(n, buffer.type == DType::I1 ? bits != 0 : bits);
  }
}

} // namespace trisect::tools
