//===- Math32.cpp - kernels of the math dialect for f32 and the types that compute in it ----------------===//
#include "interp/kernels/MathTheme.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

void addMath32(Registry &registry) {
  addMathOf<DType::F16>(registry);
  addMathOf<DType::BF16>(registry);
  addMathOf<DType::F32>(registry);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
