//===- SharedConversion.cpp - conversions through shared memory -----------------------------------------===//
//
// How: memory is a basis of the tensor's elements: first the vector (register vectors that both layouts
// have), then the rest of a 4-byte word, the banks, the rows of 128 bytes, and last the rounds. Lanes of one
// access must not meet in a bank in different rows, so the rows are spanned by vectors outside what the lanes
// of either side span: a common complement of both. Vector and rounds are chosen apart from all lanes and
// warps, so that a thread's place is XORed into the bits between them alone.
//
//===----------------------------------------------------------------------------------------------------===//
#include "backends/gpu/layouts/Conversion.h"
#include <algorithm>
#include <bit>

namespace trisect::gpu {

namespace {
constexpr uint32_t kMostAccessBytes = 16;
constexpr uint32_t kWordBytes = 4;
constexpr uint32_t kRowBytes = 128;

using Vectors = std::vector<Column>;

void append(Vectors &vectors, const Vectors &more) {
  vectors.insert(vectors.end(), more.begin(), more.end());
}

/// A basis of a space that all of `vectors` lie in, after `first`, which are independent.
Vectors completed(const Vectors &first, const Vectors &vectors) {
  Vectors basis = first;
  Span span(first);
  for (Column vector : vectors)
    if (span.add(vector))
      basis.push_back(vector);
  return basis;
}

Vectors units(unsigned count) { return Matrix::identity(count).columns; }

/// Vectors that complete both bases, which are equally long, to the whole space.
Vectors commonComplement(const Vectors &lhs, const Vectors &rhs, unsigned dimension) {
  Vectors common = intersection(lhs, rhs);
  Vectors left = completed(common, lhs), right = completed(common, rhs);
  Vectors result;
  for (size_t index = common.size(); index < left.size(); ++index)
    result.push_back(left[index] ^ right[index]);
  Vectors both = completed(left, right);
  Vectors whole = completed(both, units(dimension));
  result.insert(result.end(), whole.begin() + static_cast<ptrdiff_t>(both.size()), whole.end());
  return result;
}

class Planner {
public:
  Planner(const Layout &from, const Layout &to, uint32_t elementBytes, uint32_t mostBytes)
      : from(from), to(to), elementBytes(elementBytes), mostBytes(mostBytes), dimension(from.elementBits()) {}

  SharedPlan run() {
    chooseVectorAndRounds();
    Vectors memory = vector;
    for (Column place : between())
      memory.push_back(place);
    append(memory, rounds);
    Matrix offsets = pseudoInverse(Matrix{memory}, dimension);

    SharedPlan plan;
    plan.elementBytes = elementBytes;
    plan.vector = 1U << vector.size();
    plan.bytes = elementBytes << (dimension - rounds.size());
    plan.store = access(from, offsets);
    plan.load = access(to, offsets);
    plan.copyLanes = from.freeBits(Bits::Lane);
    plan.copyWarps = from.freeBits(Bits::Warp);
    return plan;
  }

private:
  void chooseVectorAndRounds() {
    Vectors common = intersection(to.of(Bits::Register), from.of(Bits::Register));
    Vectors threads;
    for (const Layout *layout : {&from, &to})
      for (Bits kind : {Bits::Lane, Bits::Warp})
        append(threads, layout->of(kind));
    size_t mostVector = std::countr_zero(kMostAccessBytes / elementBytes);
    Span taken(threads);
    for (Column candidate : common) {
      if (vector.size() < mostVector) {
        if (taken.add(candidate))
          vector.push_back(candidate);
      } else if (uint64_t(elementBytes) << (dimension - rounds.size()) > mostBytes && taken.add(candidate)) {
        rounds.push_back(candidate);
      }
    }
    // Coordinates in which the vector comes first, the rounds last, and threads have no part in either.
    Vectors frame = vector;
    append(frame, rounds);
    append(frame, threads);
    Vectors fixed = completed({}, frame);
    Vectors whole = completed(fixed, units(dimension));
    middle.assign(whole.begin() + static_cast<ptrdiff_t>(vector.size() + rounds.size()), whole.end());
    toFrame = pseudoInverse(Matrix{whole}, dimension);
  }

  /// A vector as a sum of those in `middle`, without its part in the vector and the rounds.
  Column inMiddle(Column element) const { return toFrame.times(element) >> (vector.size() + rounds.size()); }

  Vectors lanesTogether(const Layout &layout) const {
    uint32_t bytes = std::max(elementBytes << vector.size(), kWordBytes);
    size_t together = std::countr_zero(kRowBytes / bytes);
    Vectors lanes;
    for (size_t bit = 0; bit < std::min<size_t>(together, layout.bits(Bits::Lane)); ++bit)
      lanes.push_back(inMiddle(layout.of(Bits::Lane)[bit]));
    return lanes;
  }

  /// The memory's bits between vector and rounds, as vectors of the tensor.
  Vectors between() const {
    auto size = static_cast<unsigned>(middle.size());
    Vectors storing = lanesTogether(from), loading = lanesTogether(to);
    // Lanes that share a word do so on both sides if possible.
    uint32_t accessBytes = elementBytes << vector.size();
    size_t wordBits = accessBytes < kWordBytes ? std::countr_zero(kWordBytes / accessBytes) : 0;
    Vectors candidates = intersection(storing, loading);
    for (const Vectors &more : {loading, storing, units(size)})
      append(candidates, more);
    Vectors word = completed({}, candidates);
    word.resize(std::min(wordBits, word.size()));

    size_t rowBits = std::min<size_t>(size, std::countr_zero(kRowBytes / elementBytes) - vector.size());
    Vectors left = rowOf(word, storing, loading, rowBits), right = rowOf(word, loading, storing, rowBits);
    Vectors rows = commonComplement(left, right, size);
    Vectors start = word;
    append(start, rows);
    Vectors order = word;
    Vectors whole = completed(start, right);
    order.insert(order.end(), whole.begin() + static_cast<ptrdiff_t>(start.size()), whole.end());
    append(order, rows);

    Vectors elements;
    for (Column place : order)
      elements.push_back(Matrix{middle}.times(place));
    return elements;
  }

  /// What the lanes span with the word, grown to the size of a row.
  Vectors rowOf(const Vectors &word, const Vectors &lanes, const Vectors &others, size_t bits) const {
    Vectors candidates = lanes;
    append(candidates, others);
    append(candidates, units(static_cast<unsigned>(middle.size())));
    Vectors row = completed(word, candidates);
    row.resize(bits);
    return row;
  }

  SharedAccess access(const Layout &layout, const Matrix &offsets) const {
    SharedAccess side;
    uint32_t roundPlace = dimension - static_cast<uint32_t>(rounds.size());
    side.rounds.resize(size_t(1) << rounds.size());
    uint32_t inRound = (1U << roundPlace) - 1;
    for (uint32_t number = 0; number < 1U << layout.bits(Bits::Register); ++number) {
      auto offset = static_cast<uint32_t>(offsets.times(layout.element({.registerNumber = number})));
      uint32_t base = offset & inRound & ~((1U << vector.size()) - 1);
      std::vector<SharedAccess::Group> &groups = side.rounds[offset >> roundPlace];
      auto group = std::find_if(groups.begin(), groups.end(),
                                [&](const auto &candidate) { return candidate.offset == base; });
      if (group == groups.end()) {
        groups.push_back({base, std::vector<uint32_t>(size_t(1) << vector.size())});
        group = groups.end() - 1;
      }
      group->registers[offset - base & ((1U << vector.size()) - 1)] = number;
    }
    for (Bits kind : {Bits::Lane, Bits::Warp}) {
      XorChain terms = xorChain(kind, offsets.after(Matrix{layout.of(kind)}).columns);
      side.offset.insert(side.offset.end(), terms.begin(), terms.end());
    }
    return side;
  }

  const Layout &from, &to;
  uint32_t elementBytes, mostBytes;
  unsigned dimension;
  Vectors vector, rounds, middle;
  Matrix toFrame;
};
} // namespace

SharedPlan throughShared(const Layout &from, const Layout &to, uint32_t elementBytes, uint32_t mostBytes) {
  return Planner(from, to, elementBytes, mostBytes).run();
}

} // namespace trisect::gpu
