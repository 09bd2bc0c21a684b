//===- Fill.cpp - all themes of one ISA level -----------------------------------------------------------===//
#include "interp/kernels/isa/Themes.h"
#include "interp/numerics/Float16.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

#if defined(__F16C__)
const uint32_t unknownZero = 0;
#endif

void fillRegistry(Registry &registry) {
  addIntegerArith(registry);
  addIntegerBits(registry);
  addFloatArith(registry);
  addCompare(registry);
  addSelect(registry);
  addIntegerCasts(registry);
  addFloatCasts(registry);
  addMixedCasts(registry);
  addMoves(registry);
  addMath32(registry);
  addMath64(registry);
  addReduce(registry);
  addScan(registry);
  addDotFloat(registry);
  addDotInteger(registry);
  addGather(registry);
  addIota(registry);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
