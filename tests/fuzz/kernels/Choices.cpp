//===- Choices.cpp - drawn or replayed ------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Choices.h"

namespace trisect::fuzz {

uint32_t Choices::below(uint32_t bound) {
  uint32_t taken = 0;
  if (generator)
    taken = static_cast<uint32_t>((*generator)() % bound);
  else if (record.size() < list.size())
    taken = list[record.size()] % bound;
  record.push_back(taken);
  return taken;
}

} // namespace trisect::fuzz
