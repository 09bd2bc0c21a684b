//===- RegistryMaps.h - what a registry holds -----------------------------------------------------------===//
//
// What: the maps themselves, for the lookups and for tests that walk every kernel.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_REGISTRYMAPS_H
#define TRISECT_INTERP_KERNELS_REGISTRYMAPS_H

#include "interp/kernels/Registry.h"
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace trisect::interp {

struct Registry::Maps {
  std::map<std::tuple<OpId, DType, DType, Numerics>, ElementwiseFn> elementwise;
  std::map<std::tuple<std::string, DType, DType>, ElementwiseFn, std::less<>> externs;
  std::set<std::string, std::less<>> aliases; ///< externs that are ops
  std::map<std::tuple<OpId, DType>, ReduceFn> reduce;
  std::map<std::tuple<OpId, DType>, ScanFn> scan;
  std::map<std::tuple<DType, DType, DType, DotPrecision>, DotFn> dot;
  std::map<unsigned, GatherFn> gather;
  std::map<unsigned, ScatterFn> scatter;
  std::map<DType, IotaFn> iota;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_REGISTRYMAPS_H
