//===- Moves.cpp - kernels of pointer arithmetic and bit casts ------------------------------------------===//
#include "interp/kernels/Loops.h"
#include "interp/kernels/isa/Themes.h"

namespace trisect::interp {
inline namespace TRISECT_ISA_NS {

namespace {
/// pointer + offset * element size; the offset is signed.
template <DType Offset> struct AddPtrOp {
  using Result = uint64_t;
  using First = uint64_t;
  using Second = Storage<Offset>;
  explicit AddPtrOp(uint64_t attribute) : elementBytes(attribute) {}
  TRISECT_INLINE uint64_t operator()(uint64_t pointer, Second offset) const {
    return pointer + static_cast<uint64_t>(int64_t(Element<Offset>::asSigned(offset))) * elementBytes;
  }
  uint64_t elementBytes;
};

template <class U> struct CopyOp {
  using Result = U;
  using First = U;
  explicit CopyOp(uint64_t) {}
  TRISECT_INLINE U operator()(U a) const { return a; }
};

void addBitcasts(Registry &r) {
  const ElementwiseFn bySize[] = {runUnary<CopyOp<uint8_t>>, runUnary<CopyOp<uint16_t>>,
                                  runUnary<CopyOp<uint32_t>>, runUnary<CopyOp<uint64_t>>};
  for (int from = 0; from < numDTypes; ++from)
    for (int to = 0; to < numDTypes; ++to) {
      const DType a = static_cast<DType>(from), b = static_cast<DType>(to);
      if (bitWidth(a) != bitWidth(b) || (a == DType::Ptr) != (b == DType::Ptr))
        continue;
      const ElementwiseFn copy = bySize[__builtin_ctz(byteSize(a))];
      r.add(OpId::tt_bitcast, a, b, copy);
      r.add(OpId::arith_bitcast, a, b, copy);
    }
  r.add(OpId::tt_int_to_ptr, DType::I64, DType::Ptr, bySize[3]);
  r.add(OpId::tt_ptr_to_int, DType::Ptr, DType::I64, bySize[3]);
}
} // namespace

void addMoves(Registry &r) {
  r.add(OpId::tt_addptr, DType::I1, DType::Ptr, runBinary<AddPtrOp<DType::I1>>);
  r.add(OpId::tt_addptr, DType::I8, DType::Ptr, runBinary<AddPtrOp<DType::I8>>);
  r.add(OpId::tt_addptr, DType::I16, DType::Ptr, runBinary<AddPtrOp<DType::I16>>);
  r.add(OpId::tt_addptr, DType::I32, DType::Ptr, runBinary<AddPtrOp<DType::I32>>);
  r.add(OpId::tt_addptr, DType::I64, DType::Ptr, runBinary<AddPtrOp<DType::I64>>);
  addBitcasts(r);
}

} // namespace TRISECT_ISA_NS
} // namespace trisect::interp
