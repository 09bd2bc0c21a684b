//===- Exchange.h - neighbours along a dimension of two change places -----------------------------------===//
//
// What: tl.sort and tl.flip see a block as a cube with a dimension of two for each bit of an index, and find
// the partner of an element by `x ^ xor_sum(x)` along one of them. That is written as a gather whose indices
// are 1 and 0. Why: a partner is read from its place, or taken from the same chunk by a shuffle; as a sum it
// is a loop nest of its own at each step, with two elements in its innermost loop.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_PLAN_EXCHANGE_H
#define TRISECT_BACKENDS_CPU_PLAN_EXCHANGE_H

#include "core/ir/FuncOps.h"
#include "core/ir/Ops.h"

namespace trisect::cpu {

void writeExchanges(tt::FuncOp kernel);

/// True for gathers that exchange the two elements along their axis.
bool isExchange(tt::GatherOp op);
/// How many places apart, row by row, the elements are that an exchange moves.
int64_t exchangeDistance(tt::GatherOp op);
/// The op of `value` if it exchanges lanes of one chunk, wherever the chunk lies; else null.
tt::GatherOp exchangeInChunk(mlir::Value value);

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_PLAN_EXCHANGE_H
