//===- LayoutLearner.h - a layout from samples ----------------------------------------------------------===//
//
// What: finds the one TensorLayout that samples of torch's tensors agree on. Limits: memory is read that may
// not be there: through the system, which refuses instead of ending the process.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_LAYOUTLEARNER_H
#define TRISECT_PYTHON_BINDINGS_LAYOUTLEARNER_H

#include "python/bindings/TensorLayout.h"
#include <memory>

namespace trisect::python {

class LayoutLearner {
public:
  /// Null if there is none, or more than one. Leaves no Python error.
  static std::unique_ptr<TensorLayout> learn();

private:
  static constexpr uint32_t heldWords = 32; ///< so much of a tensor, and of its storage, is looked at
  using Words = std::array<uint64_t, heldWords>;
  class Reader;

  struct Sample {
    pybind11::object object;
    uint64_t address = 0, count = 0;
    std::vector<uint64_t> shape, strides;
    Words tensor{}, storage{};
  };
  /// Two tensors that differ in one thing.
  struct Pair {
    Words plain{}, changed{};
  };
  using Objects = std::vector<std::pair<pybind11::object, pybind11::object>>;

  bool takeSamples();
  std::unique_ptr<TensorLayout> learnAt(uint32_t holder, const Reader &reader);
  bool findStorage(TensorLayout &layout, const Reader &reader);
  bool findFeatures(TensorLayout &layout, const Reader &reader);
  std::vector<Pair> wordsOf(const Objects &objects, const TensorLayout &layout, const Reader &reader,
                            bool ofStorage) const;
  std::optional<Words> signChange(const TensorLayout &layout, const Reader &reader) const;
  static std::optional<TensorLayout::Spots> spots(std::vector<Words> changes,
                                                  const std::vector<Words> &alike);
  template <typename Holds> std::optional<uint32_t> onlyWord(Holds holds) const;
  template <typename AddressOf> uint32_t clip(Words Sample::*words, AddressOf addressOf);

  uint32_t tensorWords = 0, storageWords = 0; ///< that such objects have
  pybind11::object given;                     ///< by Python, with what must live as long as the samples
  std::vector<Sample> samples;
  size_t alike = 0; ///< the first samples are, but for where they lie and how large they are
  std::vector<Objects> kinds, rights; ///< pairs that a tensor's own words, or also its storage's, tell apart
  Objects signs, plainAgain;          ///< negated, and negated twice
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_LAYOUTLEARNER_H
