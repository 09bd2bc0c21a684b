//===- AtomicBlock.cpp - loops over cells, one per kind and width ---------------------------------------===//
#include "interp/ops/AtomicBlock.h"
#include <cstring>
#include <type_traits>

namespace trisect::interp {

namespace {

struct Add {
  template <class T> static T fetch(T *cell, T value) {
    return __atomic_fetch_add(cell, value, __ATOMIC_SEQ_CST);
  }
  template <class T> static bool changes(T, T value) { return value != 0; }
};
struct And {
  template <class T> static T fetch(T *cell, T value) {
    return __atomic_fetch_and(cell, value, __ATOMIC_SEQ_CST);
  }
  template <class T> static bool changes(T old, T value) { return (old & value) != old; }
};
struct Or {
  template <class T> static T fetch(T *cell, T value) {
    return __atomic_fetch_or(cell, value, __ATOMIC_SEQ_CST);
  }
  template <class T> static bool changes(T old, T value) { return (old | value) != old; }
};
struct Xor {
  template <class T> static T fetch(T *cell, T value) {
    return __atomic_fetch_xor(cell, value, __ATOMIC_SEQ_CST);
  }
  template <class T> static bool changes(T, T value) { return value != 0; }
};
struct Exchange {
  template <class T> static T fetch(T *cell, T value) {
    return __atomic_exchange_n(cell, value, __ATOMIC_SEQ_CST);
  }
  template <class T> static bool changes(T old, T value) { return old != value; }
};

/// cell = combine(cell, value) where the machine has no instruction of its own.
template <class Combine> struct Loop {
  template <class T> static T fetch(T *cell, T value) {
    T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
    while (true) {
      const T fresh = Combine::apply(old, value);
      if (fresh == old) // nothing to write: the load was the whole access
        return old;
      if (__atomic_compare_exchange_n(cell, &old, fresh, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        return old;
    }
  }
  template <class T> static bool changes(T old, T value) { return Combine::apply(old, value) != old; }
};
struct Max {
  template <class T> static T apply(T a, T b) {
    using S = std::make_signed_t<T>;
    return static_cast<S>(a) >= static_cast<S>(b) ? a : b;
  }
};
struct Min {
  template <class T> static T apply(T a, T b) {
    using S = std::make_signed_t<T>;
    return static_cast<S>(a) <= static_cast<S>(b) ? a : b;
  }
};
struct UMax {
  template <class T> static T apply(T a, T b) { return a >= b ? a : b; }
};
struct UMin {
  template <class T> static T apply(T a, T b) { return a <= b ? a : b; }
};
struct FAdd {
  template <class T> static T apply(T a, T b) {
    using F = std::conditional_t<sizeof(T) == 4, float, double>;
    F x, y;
    std::memcpy(&x, &a, sizeof(T));
    std::memcpy(&y, &b, sizeof(T));
    x += y;
    std::memcpy(&a, &x, sizeof(T));
    return a;
  }
};

template <class Kind, class T>
void runBlock(const uint64_t *addresses, const uint8_t *mask, const void *values, void *old, int64_t count,
              uint64_t &writes) {
  const auto *in = static_cast<const T *>(values);
  auto *out = static_cast<T *>(old);
  uint64_t changed = 0;
  for (int64_t lane = 0; lane < count; ++lane) {
    if (mask && !mask[lane]) {
      out[lane] = 0;
      continue;
    }
    const T value = in[lane];
    const T before = Kind::template fetch<T>(reinterpret_cast<T *>(addresses[lane]), value);
    changed += Kind::template changes<T>(before, value);
    out[lane] = before;
  }
  writes += changed;
}

template <class Kind> AtomicBlockFn byWidth(DType type) {
  switch (type) {
  case DType::I8:
    return runBlock<Kind, uint8_t>;
  case DType::I16:
    return runBlock<Kind, uint16_t>;
  case DType::I32:
    return runBlock<Kind, uint32_t>;
  case DType::I64:
    return runBlock<Kind, uint64_t>;
  default:
    return nullptr;
  }
}

} // namespace

AtomicBlockFn atomicBlock(AtomicKind kind, DType type) {
  switch (kind) {
  case AtomicAdd:
    return byWidth<Add>(type);
  case AtomicAnd:
    return byWidth<And>(type);
  case AtomicOr:
    return byWidth<Or>(type);
  case AtomicXor:
    return byWidth<Xor>(type);
  case AtomicMax:
    return byWidth<Loop<Max>>(type);
  case AtomicMin:
    return byWidth<Loop<Min>>(type);
  case AtomicUMax:
    return byWidth<Loop<UMax>>(type);
  case AtomicUMin:
    return byWidth<Loop<UMin>>(type);
  case AtomicFAdd:
    return type == DType::F32   ? runBlock<Loop<FAdd>, uint32_t>
           : type == DType::F64 ? runBlock<Loop<FAdd>, uint64_t>
                                : nullptr;
  case AtomicExch:
    switch (byteSize(type)) {
    case 1:
      return runBlock<Exchange, uint8_t>;
    case 2:
      return runBlock<Exchange, uint16_t>;
    case 4:
      return runBlock<Exchange, uint32_t>;
    default:
      return runBlock<Exchange, uint64_t>;
    }
  default:
    return nullptr;
  }
}

} // namespace trisect::interp
