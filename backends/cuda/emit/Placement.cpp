//===- Placement.cpp - which elements of a block a thread holds -----------------------------------------===//
#include "backends/cuda/emit/Placement.h"

using trisect::gpu::Bits;

namespace trisect::cuda {

Placement::Placement(gpu::Layout layout) : distributed(std::move(layout)) {
  uint32_t free = distributed.freeBits(Bits::Register);
  for (unsigned bit = 0; bit < distributed.bits(Bits::Register); ++bit)
    if (!(free >> bit & 1))
      heldBits.push_back(bit);
  elements.assign(held(), 0);
  for (unsigned n = 0; n < held(); ++n)
    for (unsigned bit = 0; bit < heldBits.size(); ++bit)
      if (n >> bit & 1)
        elements[n] ^= distributed.flat(Bits::Register, heldBits[bit]);
}

unsigned Placement::heldFor(uint32_t registerNumber) const {
  unsigned n = 0;
  for (unsigned bit = 0; bit < heldBits.size(); ++bit)
    n |= (registerNumber >> heldBits[bit] & 1) << bit;
  return n;
}

uint32_t Placement::registerOf(unsigned n) const {
  uint32_t number = 0;
  for (unsigned bit = 0; bit < heldBits.size(); ++bit)
    number |= (n >> bit & 1) << heldBits[bit];
  return number;
}

} // namespace trisect::cuda
