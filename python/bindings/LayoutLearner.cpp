//===- LayoutLearner.cpp - a layout from samples --------------------------------------------------------===//
#include "python/bindings/LayoutLearner.h"
#include <algorithm>
#include <bit>
#include <malloc.h>
#include <unistd.h>

namespace py = pybind11;

namespace trisect::python {

/// Reads memory that may not be there: the system copies it into a pipe, or refuses.
class LayoutLearner::Reader {
public:
  Reader() : open(pipe(ends) == 0) {}
  Reader(const Reader &) = delete;
  Reader &operator=(const Reader &) = delete;
  ~Reader() {
    if (open)
      close(ends[0]), close(ends[1]);
  }
  bool read(Words &words, uint64_t address) const {
    auto wanted = ssize_t(sizeof(words));
    return open && address >= 4096 && address % alignof(uint64_t) == 0 &&
           write(ends[1], reinterpret_cast<const void *>(address), size_t(wanted)) == wanted &&
           ::read(ends[0], words.data(), size_t(wanted)) == wanted;
  }

private:
  int ends[2] = {-1, -1};
  bool open;
};

namespace {

uint64_t wordOf(const py::object &object, uint32_t index) {
  return reinterpret_cast<const uint64_t *>(object.ptr())[index];
}

/// The bytes in which some bit is set, as a mask.
uint64_t wholeBytes(uint64_t bits) {
  uint64_t mask = 0;
  for (uint64_t byte = 0xff; byte; byte <<= 8)
    mask |= bits & byte ? byte : 0;
  return mask;
}

std::vector<uint64_t> numbers(const py::object &sequence) {
  std::vector<uint64_t> result;
  for (py::handle item : sequence)
    result.push_back(static_cast<uint64_t>(item.cast<int64_t>()));
  return result;
}

bool lieAt(const std::vector<uint64_t> &values, const auto &words, uint32_t word) {
  return word + values.size() <= words.size() &&
         std::ranges::equal(values, std::span(&words[word], values.size()));
}

/// Of each word the bits in which both of a pair differ, where their bytes differ alike in all pairs.
auto sameChange(const auto &pairs) {
  auto changes = pairs.front().plain;
  for (size_t word = 0; word < changes.size(); ++word) {
    uint64_t first = pairs.front().plain[word] ^ pairs.front().changed[word], others = 0;
    for (const auto &pair : pairs)
      others |= first ^ pair.plain[word] ^ pair.changed[word];
    changes[word] = first & ~wholeBytes(others);
  }
  return changes;
}

/// Leaves memory behind in which nothing is alike: what torch never writes into will then differ.
void soilMemory() {
  constexpr size_t least = 32, most = 512, step = 16, ofEach = 16;
  std::vector<std::unique_ptr<unsigned char[]>> pieces;
  for (size_t bytes = least; bytes <= most; bytes += step)
    for (size_t n = 0; n < ofEach; ++n) {
      volatile unsigned char *piece = pieces.emplace_back(new unsigned char[bytes]).get();
      for (size_t at = 0; at < bytes; ++at)
        piece[at] = static_cast<unsigned char>(0x11 * n + 1);
    }
}

} // namespace

bool LayoutLearner::takeSamples() {
  soilMemory();
  given = py::module_::import("trisect.runtime._samples").attr("layout_samples")();
  if (given.is_none())
    return false;
  auto add = [&](const char *name) {
    for (py::handle each : given[name]) {
      Sample sample;
      sample.object = py::reinterpret_borrow<py::object>(each);
      sample.address = each.attr("data_ptr")().cast<uint64_t>();
      sample.count = each.attr("numel")().cast<uint64_t>();
      sample.shape = numbers(each.attr("shape"));
      sample.strides = numbers(each.attr("stride")());
      samples.push_back(std::move(sample));
    }
  };
  add("alike");
  alike = samples.size();
  add("strange");
  auto pairs = [&](py::handle rows, int second = 1) {
    Objects objects;
    for (py::handle row : rows)
      objects.emplace_back(row[py::int_(0)], row[py::int_(second)]);
    return objects;
  };
  for (py::handle rows : given["kinds"])
    kinds.push_back(pairs(rows));
  for (py::handle rows : given["rights"])
    rights.push_back(pairs(rows));
  signs = pairs(given["signs"]);
  plainAgain = pairs(given["signs"], 2);
  return true;
}

/// The only word for which something holds in all samples.
template <typename Holds> std::optional<uint32_t> LayoutLearner::onlyWord(Holds holds) const {
  std::optional<uint32_t> found;
  for (uint32_t word = 0; word < heldWords; ++word) {
    if (!std::ranges::all_of(samples, [&](const Sample &sample) { return holds(sample, word); }))
      continue;
    if (found)
      return std::nullopt;
    found = word;
  }
  return found;
}

/// Drops what lies behind the memory that objects have; returns how many words they have.
template <typename AddressOf> uint32_t LayoutLearner::clip(Words Sample::*words, AddressOf addressOf) {
  auto least = uint32_t(heldWords);
  for (const Sample &sample : samples)
    least = std::min(
        least, uint32_t(malloc_usable_size(reinterpret_cast<void *>(addressOf(sample))) / sizeof(uint64_t)));
  for (Sample &sample : samples)
    std::fill((sample.*words).begin() + least, (sample.*words).end(), 0);
  return least;
}

bool LayoutLearner::findStorage(TensorLayout &layout, const Reader &reader) {
  constexpr uint64_t elementBytes = 4; // of all samples
  size_t found = 0;
  for (uint32_t at = 1; at < heldWords; ++at) {
    if (!std::ranges::all_of(samples,
                             [&](Sample &sample) { return reader.read(sample.storage, sample.tensor[at]); }))
      continue;
    for (uint32_t data = 0; data < heldWords; ++data) {
      auto offset = onlyWord([&](const Sample &sample, uint32_t word) {
        return sample.storage[data] + sample.tensor[word] * elementBytes == sample.address;
      });
      if (!offset)
        continue;
      ++found;
      layout.storage = at;
      layout.data = data;
      layout.offset = *offset;
    }
  }
  if (found != 1)
    return false;
  for (Sample &sample : samples)
    if (!reader.read(sample.storage, sample.tensor[layout.storage]))
      return false;
  storageWords = clip(&Sample::storage, [&](const Sample &sample) { return sample.tensor[layout.storage]; });
  layout.storageClass = samples.front().storage[0];
  return std::ranges::all_of(samples,
                             [&](const Sample &sample) { return sample.storage[0] == layout.storageClass; });
}

/// The tensors of pairs, or their storages; nothing if they cannot be read.
std::vector<LayoutLearner::Pair> LayoutLearner::wordsOf(const Objects &objects, const TensorLayout &layout,
                                                        const Reader &reader, bool ofStorage) const {
  std::vector<Pair> pairs;
  auto look = [&](Words &words, const py::object &object) {
    if (!reader.read(words, wordOf(object, layout.holder)) ||
        (ofStorage && !reader.read(words, words[layout.storage])))
      return false;
    std::fill(words.begin() + (ofStorage ? storageWords : tensorWords), words.end(), 0);
    return true;
  };
  for (const auto &[plain, changed] : objects) {
    Pair &pair = pairs.emplace_back();
    if (!look(pair.plain, plain) || !look(pair.changed, changed))
      return {};
  }
  return pairs;
}

/// What a sign changes in a tensor: not what is changed still where the sign is taken back. Objects made one
/// after the other often lie in one place each, and all pairs then differ in a bit of these places as well.
std::optional<LayoutLearner::Words> LayoutLearner::signChange(const TensorLayout &layout,
                                                              const Reader &reader) const {
  std::vector<Pair> pairs = wordsOf(signs, layout, reader, false);
  std::vector<Pair> unchanged = wordsOf(plainAgain, layout, reader, false);
  if (pairs.empty() || unchanged.empty())
    return std::nullopt;
  Words found = sameChange(pairs);
  for (const Pair &pair : unchanged)
    for (uint32_t word = 0; word < heldWords; ++word)
      found[word] &= ~(pair.plain[word] ^ pair.changed[word]);
  return found;
}

/// As few words as tell all changes, each without the bytes that differ among what is alike; nothing if these
/// do not tell all, or are too many.
std::optional<TensorLayout::Spots> LayoutLearner::spots(std::vector<Words> changes,
                                                        const std::vector<Words> &alike) {
  TensorLayout::Spots found{};
  size_t count = 0;
  Words masks{};
  for (uint32_t word = 0; word < heldWords; ++word) {
    uint64_t varies = 0;
    for (const Words &words : alike)
      varies |= words[word] ^ alike.front()[word];
    masks[word] = ~wholeBytes(varies);
  }
  while (!changes.empty()) {
    auto toldBy = [&](uint32_t word) {
      return std::ranges::count_if(changes,
                                   [&](const Words &change) { return (change[word] & masks[word]) != 0; });
    };
    uint32_t best = 0;
    for (uint32_t word = 1; word < heldWords; ++word)
      if (toldBy(word) > toldBy(best))
        best = word;
    if (!toldBy(best) || count == found.size())
      return std::nullopt;
    found[count++] = {best, masks[best]};
    std::erase_if(changes, [&](const Words &change) { return (change[best] & masks[best]) != 0; });
  }
  return found;
}

bool LayoutLearner::findFeatures(TensorLayout &layout, const Reader &reader) {
  std::vector<Words> alikeTensors, alikeStorages, inTensor, inStorage;
  for (size_t n = 0; n < alike; ++n) {
    alikeTensors.push_back(samples[n].tensor);
    alikeStorages.push_back(samples[n].storage);
  }
  auto add = [&](const std::vector<Objects> &about, bool ofStorage) {
    for (const Objects &objects : about) {
      std::vector<Pair> pairs = wordsOf(objects, layout, reader, ofStorage);
      if (pairs.empty())
        return false;
      (ofStorage ? inStorage : inTensor).push_back(sameChange(pairs));
      for (const Pair &pair : pairs)
        (ofStorage ? alikeStorages : alikeTensors).push_back(pair.plain);
    }
    return true;
  };
  if (!add(kinds, false) || !add(rights, true))
    return false;
  std::optional<Words> sign = signChange(layout, reader);
  if (!sign)
    return false;
  inTensor.push_back(*sign);
  size_t bits = 0;
  for (uint32_t word = 0; word < heldWords; ++word)
    if (uint64_t bit = (*sign)[word]; std::has_single_bit(bit)) {
      layout.negativeBit = {word, bit};
      ++bits;
    }
  auto ofTensor = spots(std::move(inTensor), alikeTensors);
  auto ofStorage = spots(std::move(inStorage), alikeStorages);
  if (bits != 1 || !ofTensor || !ofStorage)
    return false;
  layout.tensorSpots = *ofTensor;
  layout.storageSpots = *ofStorage;
  return true;
}

std::unique_ptr<TensorLayout> LayoutLearner::learnAt(uint32_t holder, const Reader &reader) {
  std::unique_ptr<TensorLayout> layout(new TensorLayout);
  layout->holder = holder;
  for (Sample &sample : samples)
    if (!reader.read(sample.tensor, wordOf(sample.object, holder)))
      return nullptr;
  layout->tensorClass = samples.front().tensor[0];
  for (const Sample &sample : samples)
    if (sample.tensor[0] != layout->tensorClass)
      return nullptr;
  auto count =
      onlyWord([](const Sample &sample, uint32_t word) { return sample.tensor[word] == sample.count; });
  auto rank = onlyWord(
      [](const Sample &sample, uint32_t word) { return sample.tensor[word] == sample.shape.size(); });
  auto shape =
      onlyWord([](const Sample &sample, uint32_t word) { return lieAt(sample.shape, sample.tensor, word); });
  auto strides = onlyWord(
      [](const Sample &sample, uint32_t word) { return lieAt(sample.strides, sample.tensor, word); });
  if (!count || !rank || !shape || !strides)
    return nullptr;
  tensorWords = clip(&Sample::tensor, [&](const Sample &sample) { return wordOf(sample.object, holder); });
  if (!findStorage(*layout, reader) || !findFeatures(*layout, reader))
    return nullptr;
  layout->count = *count;
  layout->rank = *rank;
  layout->shape = *shape;
  layout->strides = *strides;
  return layout;
}

std::unique_ptr<TensorLayout> LayoutLearner::learn() {
  LayoutLearner learner;
  if (!learner.takeSamples())
    return nullptr;
  auto words = uint32_t(heldWords);
  for (const Sample &sample : learner.samples)
    words =
        std::min(words, uint32_t(Py_TYPE(sample.object.ptr())->tp_basicsize / Py_ssize_t(sizeof(uint64_t))));
  Reader reader;
  std::unique_ptr<TensorLayout> found;
  for (uint32_t holder = sizeof(PyObject) / sizeof(uint64_t); holder < words; ++holder)
    if (std::unique_ptr<TensorLayout> layout = learner.learnAt(holder, reader)) {
      if (found)
        return nullptr;
      found = std::move(layout);
    }
  return found;
}

} // namespace trisect::python
