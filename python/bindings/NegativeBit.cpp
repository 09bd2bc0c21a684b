//===- NegativeBit.cpp - learning the place from samples ------------------------------------------------===//
#include "python/bindings/NegativeBit.h"
#include <array>
#include <bit>
#include <unistd.h>
#include <vector>

namespace py = pybind11;

namespace trisect::python {

namespace {

constexpr size_t heldWords = 32; ///< so much of what a tensor holds is looked at
using Held = std::array<uint64_t, heldWords>;

/// Reads memory that may not be there: the system copies it into a pipe, or refuses.
class CarefulReader {
public:
  CarefulReader() : open(pipe(ends) == 0) {}
  CarefulReader(const CarefulReader &) = delete;
  CarefulReader &operator=(const CarefulReader &) = delete;
  ~CarefulReader() {
    if (open)
      close(ends[0]), close(ends[1]);
  }
  std::optional<Held> read(uint64_t address) const {
    Held held;
    auto wanted = ssize_t(sizeof(held));
    if (!open || address < 4096 || address % alignof(uint64_t) ||
        write(ends[1], reinterpret_cast<const void *>(address), size_t(wanted)) != wanted ||
        ::read(ends[0], held.data(), size_t(wanted)) != wanted)
      return std::nullopt;
    return held;
  }

private:
  int ends[2] = {-1, -1};
  bool open;
};

/// A tensor and a view of it that has the bit.
struct Pair {
  PyObject *plain, *negated;
};

uint64_t wordOf(PyObject *object, uint32_t index) {
  return reinterpret_cast<const uint64_t *>(object)[index];
}

/// The words that differ in one and the same bit in all pairs, which only the views have; 0 elsewhere.
std::optional<Held> commonBits(const CarefulReader &reader, const std::vector<Pair> &pairs, uint32_t holder) {
  Held common;
  common.fill(~uint64_t(0));
  for (const Pair &pair : pairs) {
    std::optional<Held> plain = reader.read(wordOf(pair.plain, holder)),
                        negated = reader.read(wordOf(pair.negated, holder));
    if (!plain || !negated)
      return std::nullopt;
    for (size_t word = 0; word < heldWords; ++word) {
      uint64_t changed = (*plain)[word] ^ (*negated)[word];
      bool isTheBit = std::has_single_bit(changed) && ((*negated)[word] & changed);
      common[word] &= isTheBit ? changed : 0;
    }
  }
  return common;
}

} // namespace

std::optional<NegativeBit> NegativeBit::of(PyTypeObject *type) {
  py::object samples = py::module_::import("trisect.runtime._tensors")
                           .attr("negated_pairs")(py::handle(reinterpret_cast<PyObject *>(type)));
  std::vector<Pair> pairs;
  auto words = uint32_t(type->tp_basicsize / Py_ssize_t(sizeof(uint64_t)));
  for (py::handle pair : samples) {
    pairs.push_back({PyTuple_GET_ITEM(pair.ptr(), 0), PyTuple_GET_ITEM(pair.ptr(), 1)});
    for (PyObject *tensor : {pairs.back().plain, pairs.back().negated})
      words = std::min(words, uint32_t(Py_TYPE(tensor)->tp_basicsize / Py_ssize_t(sizeof(uint64_t))));
  }
  if (pairs.empty())
    return std::nullopt;
  CarefulReader reader;
  std::vector<NegativeBit> found;
  for (uint32_t holder = sizeof(PyObject) / sizeof(uint64_t); holder < words; ++holder)
    if (std::optional<Held> common = commonBits(reader, pairs, holder))
      for (uint32_t word = 0; word < heldWords; ++word)
        if ((*common)[word])
          found.push_back({holder, word, (*common)[word]});
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

} // namespace trisect::python
