//===- Conversion.cpp - choosing how a block gets from one layout to another ----------------------------===//
#include "backends/gpu/layouts/Conversion.h"
#include <algorithm>
#include <array>
#include <set>

namespace trisect::gpu {

namespace {
/// Costs in instructions of a thread. A meeting of all warps counts as so many.
constexpr size_t kMeeting = 16;

size_t selectsOf(const XorChain &chain, size_t registers) {
  uint32_t bits = 0;
  for (const XorTerm &term : chain)
    bits |= term.shift < 0 ? term.mask >> -term.shift : term.mask << term.shift;
  return static_cast<size_t>(__builtin_popcount(bits)) * registers;
}

size_t costOf(const Shuffle &plan, uint32_t elementBits) {
  size_t words = elementBits > 32 ? 2 : 1;
  size_t shuffles = plan.withinLanes() ? 0 : 2 * plan.rounds.size();
  return words * (shuffles + selectsOf(plan.offered, plan.rounds.size()) +
                  selectsOf(plan.result, plan.rounds.size()));
}

size_t costOf(const SharedPlan &plan) {
  size_t cost = 0;
  for (const SharedAccess *side : {&plan.store, &plan.load})
    for (const std::vector<SharedAccess::Group> &round : side->rounds)
      cost += kMeeting + 4 * round.size();
  return cost;
}
} // namespace

bool Shuffle::withinLanes() const {
  for (const Round &round : rounds)
    if (round.lane)
      return false;
  return lane == XorChain{{Bits::Lane, 31, 0}};
}

uint32_t bytesInShared(uint32_t elementBits) { return std::max(elementBits / 8, 1U); }

std::optional<Renaming> renaming(const Layout &from, const Layout &to) {
  for (Bits kind : {Bits::Lane, Bits::Warp, Bits::Block})
    if (from.of(kind) != to.of(kind))
      return std::nullopt;
  Span registers(from.of(Bits::Register));
  Matrix source;
  for (Column vector : to.of(Bits::Register)) {
    std::optional<Column> sum = registers.combination(vector);
    if (!sum)
      return std::nullopt;
    source.columns.push_back(*sum);
  }
  Renaming plan;
  for (uint32_t result = 0; result < 1U << source.size(); ++result)
    plan.source.push_back(static_cast<uint32_t>(source.times(result)));
  return plan;
}

Conversion conversion(const Layout &from, const Layout &to, uint32_t elementBits, uint32_t mostBytes) {
  if (std::optional<Renaming> plan = renaming(from, to))
    return *plan;
  SharedPlan shared = throughShared(from, to, bytesInShared(elementBits), mostBytes);
  std::optional<Shuffle> shuffled = shuffle(from, to);
  if (shuffled && costOf(*shuffled, elementBits) <= costOf(shared))
    return *shuffled;
  return shared;
}

uint32_t bankConflicts(const std::vector<std::optional<uint32_t>> &lanes, uint32_t bytes) {
  // The memory serves 128 bytes at a time: wide accesses go by halves or quarters of a warp.
  size_t together = std::max<size_t>(lanes.size() * 4 / std::max(bytes, 4U), 1);
  uint32_t extra = 0;
  for (size_t first = 0; first < lanes.size(); first += together) {
    std::array<std::set<uint32_t>, 32> words;
    size_t most = 1;
    for (size_t lane = first; lane < std::min(first + together, lanes.size()); ++lane)
      for (uint32_t byte = 0; lanes[lane] && byte < bytes; ++byte) {
        uint32_t word = (*lanes[lane] + byte) / 4;
        words[word % 32].insert(word);
        most = std::max(most, words[word % 32].size());
      }
    extra += static_cast<uint32_t>(most - 1);
  }
  return extra;
}

} // namespace trisect::gpu
