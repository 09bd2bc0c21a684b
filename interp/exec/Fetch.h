//===- Fetch.h - elements of a value, a strip or a block at a time --------------------------------------===//
//
// What: turns any form of value into contiguous elements, for a range of the row-major order or for the whole
// block. Limits: scratch memory belongs to the caller and holds the range.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_EXEC_FETCH_H
#define TRISECT_INTERP_EXEC_FETCH_H

#include "interp/exec/Instance.h"

namespace trisect::interp {

/// Elements [offset, offset + count) of the value: in place, or written to `scratch`.
Strip fetch(const Value &value, DType type, const Shape &shape, int64_t offset, int64_t count, void *scratch);

/// Writes the range to `into`.
void copyOut(const Value &value, DType type, const Shape &shape, int64_t offset, int64_t count, void *into);

/// Fills count elements of `size` bytes with the same bits.
void fill(void *into, uint64_t bits, unsigned size, int64_t count);

/// Copies a block whose source has any byte stride per dimension to row-major order.
void copyStrided(void *into, const char *from, const int64_t *dims, const int64_t *strides, int rank,
                 unsigned size);
/// The reverse: row-major to strides.
void scatterStrided(char *into, const void *from, const int64_t *dims, const int64_t *strides, int rank,
                    unsigned size);

/// Operand `n` in row-major order: in place if it is Dense, else in memory that `keep` holds. A View becomes
/// Dense for good, other forms keep their structure.
const char *denseOperand(Instance &instance, const Instr &instr, unsigned n, Value &keep);
/// Makes the result Dense with fresh memory.
char *denseResult(Instance &instance, const Instr &instr, unsigned n = 0);

/// Byte strides of a row-major block.
void rowMajor(const Shape &shape, unsigned size, int64_t *strides);
/// A Dense or View value as pointer and byte strides; false for other forms.
bool asView(const Value &value, const Shape &shape, unsigned size, const char *&data, int64_t *strides);

} // namespace trisect::interp

#endif // TRISECT_INTERP_EXEC_FETCH_H
