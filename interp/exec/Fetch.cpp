//===- Fetch.cpp - from structure to elements -----------------------------------------------------------===//
#include "interp/exec/Fetch.h"
#include <algorithm>

namespace trisect::interp {

namespace {

template <typename T> void fillAs(void *into, uint64_t bits, int64_t count) {
  T value;
  std::memcpy(&value, &bits, sizeof(T));
  std::fill_n(static_cast<T *>(into), count, value);
}

template <typename T>
void copyLine(char *into, int64_t intoStride, const char *from, int64_t fromStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * fromStride, sizeof(T));
    std::memcpy(into + i * intoStride, &value, sizeof(T));
  }
}

/// `count` copies of one element.
template <typename T> void repeatElement(char *into, const char *from, int64_t count) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  auto *out = reinterpret_cast<T *>(into);
  for (int64_t i = 0; i < count; ++i)
    out[i] = value;
}

void copyElements(char *into, int64_t intoStride, const char *from, int64_t fromStride, unsigned size,
                  int64_t count) {
  if (intoStride == size && fromStride == size) {
    std::memcpy(into, from, count * size);
    return;
  }
  if (fromStride == 0 && intoStride == size) {
    switch (size) {
    case 1:
      return repeatElement<uint8_t>(into, from, count);
    case 2:
      return repeatElement<uint16_t>(into, from, count);
    case 4:
      return repeatElement<uint32_t>(into, from, count);
    default:
      return repeatElement<uint64_t>(into, from, count);
    }
  }
  switch (size) {
  case 1:
    return copyLine<uint8_t>(into, intoStride, from, fromStride, count);
  case 2:
    return copyLine<uint16_t>(into, intoStride, from, fromStride, count);
  case 4:
    return copyLine<uint32_t>(into, intoStride, from, fromStride, count);
  default:
    return copyLine<uint64_t>(into, intoStride, from, fromStride, count);
  }
}

/// Calls visit(multi-index, elements before, first inner index, length) for each piece of a row in the range.
template <typename Visit> void forRows(const Shape &shape, int64_t offset, int64_t count, Visit visit) {
  int rank = shape.rank();
  if (rank == 0) {
    visit(nullptr, int64_t(0), int64_t(0), count);
    return;
  }
  int64_t inner = shape.dims[rank - 1];
  int64_t index[maxSymbolicRank] = {};
  int64_t row = offset / inner, column = offset % inner;
  for (int d = rank - 2; d >= 0; --d) {
    index[d] = row % shape.dims[d];
    row /= shape.dims[d];
  }
  int64_t done = 0;
  while (done < count) {
    int64_t length = std::min(inner - column, count - done);
    visit(index, done, column, length);
    done += length;
    column = 0;
    for (int d = rank - 2; d >= 0; --d) {
      if (++index[d] < shape.dims[d])
        break;
      index[d] = 0;
    }
  }
}

void iota(void *into, uint64_t start, uint64_t step, unsigned size, int64_t count) {
  switch (size) {
  case 1:
    for (int64_t i = 0; i < count; ++i)
      static_cast<uint8_t *>(into)[i] = uint8_t(start + i * step);
    return;
  case 2:
    for (int64_t i = 0; i < count; ++i)
      static_cast<uint16_t *>(into)[i] = uint16_t(start + i * step);
    return;
  case 4:
    for (int64_t i = 0; i < count; ++i)
      static_cast<uint32_t *>(into)[i] = uint32_t(start + i * step);
    return;
  default:
    for (int64_t i = 0; i < count; ++i)
      static_cast<uint64_t *>(into)[i] = start + i * step;
  }
}

} // namespace

void fill(void *into, uint64_t bits, unsigned size, int64_t count) {
  switch (size) {
  case 1:
    std::memset(into, static_cast<int>(bits & 255), count);
    return;
  case 2:
    return fillAs<uint16_t>(into, bits, count);
  case 4:
    return fillAs<uint32_t>(into, bits, count);
  default:
    return fillAs<uint64_t>(into, bits, count);
  }
}

void copyOut(const Value &value, DType type, const Shape &shape, int64_t offset, int64_t count, void *into) {
  unsigned size = byteSize(type);
  char *out = static_cast<char *>(into);
  int inner = shape.rank() - 1;
  switch (value.form) {
  case Form::Empty:
  case Form::Strip:
    fill(into, 0, size, count);
    return;
  case Form::Splat:
    fill(into, value.base, size, count);
    return;
  case Form::Dense:
    std::memcpy(into, value.data + offset * size, count * size);
    return;
  case Form::Affine:
    forRows(shape, offset, count, [&](const int64_t *index, int64_t at, int64_t column, int64_t length) {
      uint64_t start = value.base + uint64_t(column) * uint64_t(value.stride[inner]);
      for (int d = 0; d < inner; ++d)
        start += uint64_t(index[d]) * uint64_t(value.stride[d]);
      iota(out + at * size, start, uint64_t(value.stride[inner]), size, length);
    });
    return;
  case Form::Box:
    forRows(shape, offset, count, [&](const int64_t *index, int64_t at, int64_t column, int64_t length) {
      bool inside = true;
      for (int d = 0; d < inner; ++d)
        inside &= index[d] >= value.box.low[d] && index[d] < value.box.high[d];
      std::memset(out + at, 0, length);
      int64_t low = std::max<int64_t>(value.box.low[inner], column);
      int64_t high = std::min<int64_t>(value.box.high[inner], column + length);
      if (inside && low < high)
        std::memset(out + at + (low - column), 1, high - low);
    });
    return;
  case Form::View:
    forRows(shape, offset, count, [&](const int64_t *index, int64_t at, int64_t column, int64_t length) {
      const char *from = value.data + column * value.stride[inner];
      for (int d = 0; d < inner; ++d)
        from += index[d] * value.stride[d];
      copyElements(out + at * size, size, from, value.stride[inner], size, length);
    });
    return;
  }
}

Strip fetch(const Value &value, DType type, const Shape &shape, int64_t offset, int64_t count,
            void *scratch) {
  if (value.form == Form::Dense)
    return {value.data + offset * byteSize(type), false};
  if (value.form == Form::Splat)
    return {&value.base, true};
  copyOut(value, type, shape, offset, count, scratch);
  return {scratch, false};
}

void rowMajor(const Shape &shape, unsigned size, int64_t *strides) {
  int64_t step = size;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    strides[d] = step;
    step *= shape.dims[d];
  }
}

bool asView(const Value &value, const Shape &shape, unsigned size, const char *&data, int64_t *strides) {
  if (value.form == Form::Dense) {
    data = value.data;
    rowMajor(shape, size, strides);
    return true;
  }
  if (value.form != Form::View)
    return false;
  data = value.data;
  std::copy(value.stride, value.stride + shape.rank(), strides);
  return true;
}

namespace {
/// Merges dimensions that are one line of memory on both sides; drops unit dimensions.
int coalesce(const int64_t *dims, const int64_t *strides, int rank, unsigned size, int64_t *outDims,
             int64_t *outStrides, int64_t *outSteps) {
  int count = 0;
  int64_t step = size;
  for (int d = 0; d < rank; ++d)
    step *= dims[d];
  for (int d = 0; d < rank; ++d) {
    step /= dims[d];
    if (dims[d] == 1)
      continue;
    if (count && outStrides[count - 1] == strides[d] * dims[d]) {
      outDims[count - 1] *= dims[d];
      outStrides[count - 1] = strides[d];
      outSteps[count - 1] = step;
      continue;
    }
    outDims[count] = dims[d];
    outStrides[count] = strides[d];
    outSteps[count] = step;
    ++count;
  }
  if (!count) {
    outDims[0] = 1;
    outStrides[0] = outSteps[0] = size;
    count = 1;
  }
  return count;
}

template <bool ToRowMajor>
void walk(char *rows, char *strided, const int64_t *dims, const int64_t *strides, int rank, unsigned size) {
  constexpr int most = 32;
  int64_t d[most], s[most], steps[most], index[most] = {};
  int count = coalesce(dims, strides, rank, size, d, s, steps);
  int inner = count - 1;
  while (true) {
    if constexpr (ToRowMajor)
      copyElements(rows, steps[inner], strided, s[inner], size, d[inner]);
    else
      copyElements(strided, s[inner], rows, steps[inner], size, d[inner]);
    int k = inner - 1;
    for (; k >= 0; --k) {
      rows += steps[k];
      strided += s[k];
      if (++index[k] < d[k])
        break;
      rows -= steps[k] * d[k];
      strided -= s[k] * d[k];
      index[k] = 0;
    }
    if (k < 0)
      return;
  }
}
} // namespace

void copyStrided(void *into, const char *from, const int64_t *dims, const int64_t *strides, int rank,
                 unsigned size) {
  walk<true>(static_cast<char *>(into), const_cast<char *>(from), dims, strides, rank, size);
}

void scatterStrided(char *into, const void *from, const int64_t *dims, const int64_t *strides, int rank,
                    unsigned size) {
  walk<false>(static_cast<char *>(const_cast<void *>(from)), into, dims, strides, rank, size);
}

const char *denseOperand(Instance &s, const Instr &i, unsigned n, Value &keep) {
  SlotId slot = s.operandSlot(i, n);
  Value &value = s.slot(slot);
  if (value.form == Form::Dense)
    return value.data;
  DType type = s.type(slot);
  int64_t count = s.elements(i, slot);
  keep.setDense(s.pool.acquire(count * byteSize(type)));
  if (value.form == Form::View) {
    const Shape &shape = s.shape(slot);
    copyStrided(keep.data, value.data, shape.dims.data(), value.stride, shape.rank(), byteSize(type));
    value = keep;
  } else {
    copyOut(value, type, s.shape(slot), 0, count, keep.data);
  }
  return keep.data;
}

char *denseResult(Instance &s, const Instr &i, unsigned n) {
  SlotId slot = s.resultSlot(i, n);
  s.slot(slot).setDense(s.pool.acquire(s.elements(i, slot) * byteSize(s.type(slot))));
  return s.slot(slot).data;
}

} // namespace trisect::interp
