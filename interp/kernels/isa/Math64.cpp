//===- Math64.cpp - kernels of the math dialect for f64 -------------------------------------------------===//
#include "interp/kernels/MathTheme.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

void addMath64(Registry &registry) { addMathOf<DType::F64>(registry); }

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
