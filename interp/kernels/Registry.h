//===- Registry.h - the kernels of one ISA level, by what they do ---------------------------------------===//
//
// What: the maps behind KernelTable.h. Each theme (arithmetic, casts, reductions ...) adds its kernels; it is
// compiled once per ISA level and called once per level, on first use.
// Why: a test can walk everything that is registered and hold it against the scalar level.
// Limits: nothing here is inline, since files with other -march flags include it.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_KERNELS_REGISTRY_H
#define TRISECT_INTERP_KERNELS_REGISTRY_H

#include "interp/kernels/KernelTable.h"

namespace trisect::interp {

class Registry {
public:
  Registry();
  ~Registry();
  Registry(const Registry &) = delete;

  void add(OpId op, DType operand, DType result, ElementwiseFn fn, Numerics numerics = Numerics::Ieee);
  void addExtern(const char *symbol, DType operand, DType result, ElementwiseFn fn);
  /// Another name for a kernel that is there already.
  void alias(const char *symbol, OpId op, DType operand, DType result);
  void addReduce(OpId op, DType type, ReduceFn fn);
  void addScan(OpId op, DType type, ScanFn fn);
  void addDot(DType a, DType b, DType accumulator, DotPrecision precision, DotFn fn);
  void addGather(unsigned elementBytes, GatherFn gather, ScatterFn scatter);
  void addIota(DType type, IotaFn fn);

  struct Maps;
  const Maps &maps() const { return *storage; }

private:
  Maps *storage;
};

/// The kernels of a level, filled on first use; InvalidInput if this machine lacks it.
const Registry &registryOf(Isa isa);

} // namespace trisect::interp

#endif // TRISECT_INTERP_KERNELS_REGISTRY_H
