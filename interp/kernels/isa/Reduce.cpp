//===- Reduce.cpp - kernels of reductions with one known op ---------------------------------------------===//
#include "interp/kernels/ReduceRows.h"
#include "interp/kernels/isa/CombiningOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

void addReduce(Registry &registry) {
  eachCombiningOp([&]<class Op>(OpId id, DType type) { registry.addReduce(id, type, runReduce<Op>); });
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
