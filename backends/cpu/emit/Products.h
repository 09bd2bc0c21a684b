//===- Products.h - the register tile of matrix products ------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_EMIT_PRODUCTS_H
#define TRISECT_BACKENDS_CPU_EMIT_PRODUCTS_H

#include "backends/cpu/emit/KernelState.h"

namespace trisect::cpu {

/// Columns of a panel of the right factor.
constexpr int64_t panelColumns = 64;

/// d = start + a * b, all in the format of `d`, whose contents are the start where that is null. `b` lies in
/// panels if it has more columns than one.
void emitTileProduct(KernelState &state, mlir::Value start, const Buffer &a, const Buffer &b,
                     const Buffer &d);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_EMIT_PRODUCTS_H
