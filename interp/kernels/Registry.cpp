//===- Registry.cpp - filling and reading the kernel maps -----------------------------------------------===//
#include "interp/kernels/Registry.h"
#include "core/support/Lasting.h"
#include "core/support/Outcome.h"
#include "interp/kernels/IsaTables.h"
#include "interp/kernels/RegistryMaps.h"
#include "interp/kernels/libdevice/Libdevice.h"
#include <string>

namespace trisect::interp {

Registry::Registry() : storage(new Maps) {}
Registry::~Registry() { delete storage; }

void Registry::add(OpId op, DType operand, DType result, ElementwiseFn fn, Numerics numerics) {
  storage->elementwise[{op, operand, result, numerics}] = fn;
}
void Registry::addExtern(const char *symbol, DType operand, DType result, ElementwiseFn fn) {
  storage->externs[{symbol, operand, result}] = fn;
}
void Registry::alias(const char *symbol, OpId op, DType operand, DType result) {
  addExtern(symbol, operand, result, storage->elementwise.at({op, operand, result, Numerics::Ieee}));
  storage->aliases.insert(symbol);
}
void Registry::addReduce(OpId op, DType type, ReduceFn fn) { storage->reduce[{op, type}] = fn; }
void Registry::addScan(OpId op, DType type, ScanFn fn) { storage->scan[{op, type}] = fn; }
void Registry::addDot(DType a, DType b, DType accumulator, DotPrecision precision, DotFn fn) {
  storage->dot[{a, b, accumulator, precision}] = fn;
}
void Registry::addGather(unsigned elementBytes, GatherFn gather, ScatterFn scatter) {
  storage->gather[elementBytes] = gather;
  storage->scatter[elementBytes] = scatter;
}
void Registry::addIota(DType type, IotaFn fn) { storage->iota[type] = fn; }

namespace {
/// A registry that is filled when it is first asked for.
struct Filled : Registry {
  explicit Filled(void (*fill)(Registry &)) {
    fill(*this);
    addLibdevice(*this);
  }
};
} // namespace

const Registry &registryOf(Isa isa) {
  if (!isaAvailable(isa))
    throw InvalidInput("this machine cannot run kernels of the ISA level '" + std::string(isaName(isa)) +
                       "'");
  switch (isa) {
#if TRISECT_X86_KERNELS
  case Isa::V2: {
    static const Lasting<Filled> table(v2::fillRegistry);
    return *table;
  }
  case Isa::Avx2: {
    static const Lasting<Filled> table(avx2::fillRegistry);
    return *table;
  }
  case Isa::Avx512: {
    static const Lasting<Filled> table(avx512::fillRegistry);
    return *table;
  }
#endif
#if TRISECT_ARM_KERNELS
  case Isa::Neon: {
    static const Lasting<Filled> table(neon::fillRegistry);
    return *table;
  }
#endif
  default: {
    static const Lasting<Filled> table(scalar::fillRegistry);
    return *table;
  }
  }
}

namespace {
template <class Map, class Key> auto find(const Map &map, const Key &key) -> typename Map::mapped_type {
  auto it = map.find(key);
  return it == map.end() ? nullptr : it->second;
}
} // namespace

ElementwiseFn elementwiseKernel(ElementwiseKey key, Numerics numerics, Isa isa) {
  const auto &map = registryOf(isa).maps().elementwise;
  if (numerics != Numerics::Ieee)
    if (ElementwiseFn special = find(map, std::tuple(key.op, key.operand, key.result, numerics)))
      return special;
  return find(map, std::tuple(key.op, key.operand, key.result, Numerics::Ieee));
}
ElementwiseFn externKernel(std::string_view symbol, DType operand, DType result, Isa isa) {
  return find(registryOf(isa).maps().externs, std::tuple(std::string(symbol), operand, result));
}
bool isAnotherNameOfAnOp(std::string_view symbol) {
  const auto &names = registryOf(activeIsa()).maps().aliases;
  return names.find(symbol) != names.end();
}
ReduceFn reduceKernel(OpId op, DType type, Isa isa) {
  return find(registryOf(isa).maps().reduce, std::tuple(op, type));
}
ScanFn scanKernel(OpId op, DType type, Isa isa) {
  return find(registryOf(isa).maps().scan, std::tuple(op, type));
}
DotFn dotKernel(DType a, DType b, DType accumulator, DotPrecision precision, Isa isa) {
  return find(registryOf(isa).maps().dot, std::tuple(a, b, accumulator, precision));
}
GatherFn gatherKernel(unsigned elementBytes, Isa isa) {
  return find(registryOf(isa).maps().gather, elementBytes);
}
ScatterFn scatterKernel(unsigned elementBytes, Isa isa) {
  return find(registryOf(isa).maps().scatter, elementBytes);
}
IotaFn iotaKernel(DType type, Isa isa) { return find(registryOf(isa).maps().iota, type); }

} // namespace trisect::interp
