//===- XorChain.cpp - how a thread computes what is linear in its numbers -------------------------------===//
#include "backends/gpu/layouts/XorChain.h"
#include <bit>
#include <map>

namespace trisect::gpu {

XorChain xorChain(Bits source, const std::vector<Column> &columns) {
  // Bits that move equally far share a term.
  std::map<int, uint32_t> masks;
  for (size_t bit = 0; bit < columns.size(); ++bit)
    for (Column rest = columns[bit]; rest; rest &= rest - 1)
      masks[std::countr_zero(rest) - static_cast<int>(bit)] |= 1U << bit;
  XorChain chain;
  for (auto [shift, mask] : masks)
    chain.push_back({source, mask, shift});
  return chain;
}

std::vector<XorChain> xorChain(const Layout &layout) {
  std::vector<XorChain> chains(layout.rank());
  for (Bits kind : {Bits::Lane, Bits::Warp, Bits::Block, Bits::Offset})
    for (size_t dim = 0; dim < layout.rank(); ++dim) {
      std::vector<Column> columns;
      for (unsigned bit = 0; bit < layout.bits(kind); ++bit)
        columns.push_back(static_cast<Column>(layout.basis(kind, bit)[dim]));
      XorChain terms = xorChain(kind, columns);
      chains[dim].insert(chains[dim].end(), terms.begin(), terms.end());
    }
  return chains;
}

uint32_t evaluate(const XorChain &chain, const Holder &holder) {
  uint32_t value = 0;
  for (const XorTerm &term : chain) {
    uint32_t part = holder.get(term.source) & term.mask;
    value ^= term.shift < 0 ? part >> -term.shift : part << term.shift;
  }
  return value;
}

} // namespace trisect::gpu
