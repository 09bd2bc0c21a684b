//===- Scan.cpp - kernels of scans with one known op ----------------------------------------------------===//
#include "interp/kernels/ScanLoops.h"
#include "interp/kernels/isa/CombiningOps.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

void addScan(Registry &registry) {
  eachCombiningOp([&]<class Op>(OpId id, DType type) { registry.addScan(id, type, runScan<Op>); });
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
