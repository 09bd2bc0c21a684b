//===- Access.cpp - patterns of loads and stores --------------------------------------------------------===//
#include "interp/ops/Access.h"
#include "interp/exec/Fetch.h"
#include "interp/ops/AccessLanes.h"
#include <algorithm>

namespace trisect::interp {

namespace {
constexpr int64_t chunk = accessChunk;
constexpr int64_t mostAhead = 16 << 10; ///< bytes that are worth fetching ahead: they must find room
constexpr int64_t cacheLine = 64;
} // namespace

Access::Access(const Value &pointer, const Value *maskValue, const Shape &shape, DType type)
    : size(byteSize(type)), type(type), base(pointer.base), shape(&shape), pointer(&pointer), mask(nullptr) {
  if (maskValue) {
    if (maskValue->isFalse())
      return;
    if (maskValue->form == Form::Box)
      boxed = true;
    else if (!maskValue->isTrue())
      mask = maskValue;
  }
  if (pointer.form == Form::Splat && !boxed && !mask) {
    kind = Kind::Uniform;
    return;
  }
  if (!pointer.isLinear() || (mask && pointer.form == Form::Splat) || shape.rank() > maxSymbolicRank) {
    // A list of addresses; a box then joins as a per-lane mask.
    if (boxed)
      mask = maskValue;
    boxed = false;
    kind = Kind::Scattered;
    return;
  }
  kind = Kind::Rows;
  for (int d = 0; d < shape.rank(); ++d) {
    int64_t extent = shape.dims[d], from = 0, to = extent;
    int64_t step = pointer.form == Form::Affine ? pointer.stride[d] : 0;
    if (boxed) {
      from = maskValue->box.low[d];
      to = maskValue->box.high[d];
    }
    if (extent == 1)
      continue;
    // Merge with the dimension before if memory runs on and the box does not cut this one.
    if (rank && from == 0 && to == extent && strides[rank - 1] == step * extent) {
      dims[rank - 1] *= extent;
      low[rank - 1] *= extent;
      high[rank - 1] *= extent;
      strides[rank - 1] = step;
      continue;
    }
    dims[rank] = extent;
    strides[rank] = step;
    low[rank] = from;
    high[rank] = to;
    ++rank;
  }
  if (rank == 0) {
    dims[0] = 1;
    strides[0] = size;
    low[0] = 0;
    high[0] = 1;
    rank = 1;
  }
  unitStride = strides[rank - 1] == size;
}

bool Access::range(uint64_t &from, uint64_t &to) const {
  if (kind == Kind::None) {
    from = to = 0;
    return true;
  }
  if (kind == Kind::Scattered)
    return false;
  from = to = base;
  if (kind == Kind::Rows)
    for (int d = 0; d < rank; ++d) {
      int64_t first = strides[d] * low[d], last = strides[d] * (high[d] - 1);
      from += std::min(first, last);
      to += std::max(first, last);
    }
  to += size;
  return true;
}

bool Access::sameAs(const Access &other) const {
  if (kind != Kind::Rows || other.kind != Kind::Rows || base != other.base || rank != other.rank ||
      size != other.size)
    return false;
  return std::equal(dims, dims + rank, other.dims) && std::equal(strides, strides + rank, other.strides);
}

bool Access::isView(int64_t *into) const {
  if (kind != Kind::Rows || boxed || mask || shape->rank() == 0)
    return false;
  for (int d = 0; d < shape->rank(); ++d)
    into[d] = pointer->form == Form::Affine ? pointer->stride[d] : 0;
  return true;
}

bool Access::distinct() const {
  if (kind != Kind::Rows)
    return kind == Kind::None;
  // By ascending step every dimension must clear all that lies inside it.
  int order[maxSymbolicRank + 1];
  for (int d = 0; d < rank; ++d)
    order[d] = d;
  auto step = [&](int d) { return strides[d] < 0 ? -strides[d] : strides[d]; };
  std::sort(order, order + rank, [&](int a, int b) { return step(a) < step(b); });
  int64_t inside = size;
  for (int n = 0; n < rank; ++n) {
    int64_t lanes = high[order[n]] - low[order[n]];
    if (lanes <= 1)
      continue;
    if (step(order[n]) < inside)
      return false;
    inside += step(order[n]) * (lanes - 1);
  }
  return true;
}

bool Access::aligned() const {
  if (size == 1 || kind == Kind::None)
    return true;
  if (kind == Kind::Scattered || base % size)
    return false;
  for (int d = 0; kind == Kind::Rows && d < rank; ++d)
    if (strides[d] % size)
      return false;
  return true;
}

namespace {

template <typename T> void readLine(char *into, uint64_t from, int64_t step, int64_t count) {
  for (int64_t i = 0; i < count; ++i, from += uint64_t(step), into += sizeof(T))
    std::memcpy(into, reinterpret_cast<const char *>(from), sizeof(T));
}
template <typename T>
void writeLine(uint64_t into, const char *from, int64_t fromStep, int64_t step, int64_t count) {
  for (int64_t i = 0; i < count; ++i, into += uint64_t(step), from += fromStep)
    std::memcpy(reinterpret_cast<char *>(into), from, sizeof(T));
}

void readStrided(char *into, uint64_t from, int64_t step, unsigned size, int64_t count) {
  switch (size) {
  case 1:
    return readLine<uint8_t>(into, from, step, count);
  case 2:
    return readLine<uint16_t>(into, from, step, count);
  case 4:
    return readLine<uint32_t>(into, from, step, count);
  default:
    return readLine<uint64_t>(into, from, step, count);
  }
}

void writeStrided(uint64_t into, const char *from, int64_t fromStep, int64_t step, unsigned size,
                  int64_t count) {
  switch (size) {
  case 1:
    return writeLine<uint8_t>(into, from, fromStep, step, count);
  case 2:
    return writeLine<uint16_t>(into, from, fromStep, step, count);
  case 4:
    return writeLine<uint32_t>(into, from, fromStep, step, count);
  default:
    return writeLine<uint64_t>(into, from, fromStep, step, count);
  }
}

void fillOther(const Value *other, DType type, const Shape &shape, int64_t offset, int64_t count,
               void *into) {
  if (other)
    copyOut(*other, type, shape, offset, count, into);
  else
    std::memset(into, 0, count * byteSize(type));
}

} // namespace

const void *Access::loadRows(Instance &s, const Instr &i, const Value *other, int64_t offset, int64_t count,
                             char *out) const {
  MemoryPolicy *policy = s.policy;
  // One piece, all active, neighbours in memory: no copy at all.
  int64_t inner = dims[rank - 1];
  if (unitStride && !policy && !boxed && offset / inner == (offset + count - 1) / inner) {
    const void *direct = nullptr;
    rows(offset, count, [&](uint64_t address, int64_t, int64_t, int64_t, int64_t) {
      direct = reinterpret_cast<const void *>(address);
    });
    if (reinterpret_cast<uintptr_t>(direct) % size == 0)
      return direct;
  }
  const void *whole = nullptr;
  rows(offset, count, [&](uint64_t address, int64_t at, int64_t length, int64_t first, int64_t last) {
    if (first > 0)
      fillOther(other, type, *shape, offset + at, first, out + at * size);
    if (last < length)
      fillOther(other, type, *shape, offset + at + last, length - last, out + (at + last) * size);
    if (first == last)
      return;
    char *into = out + (at + first) * size;
    int64_t step = strides[rank - 1];
    uint64_t from = address + uint64_t(first) * uint64_t(step);
    if (unitStride) {
      if (policy)
        policy->read(s.site(i), from, into, (last - first) * size);
      else if (length == count && last - first == count && from % size == 0)
        whole = reinterpret_cast<const void *>(from);
      else
        std::memcpy(into, reinterpret_cast<const void *>(from), (last - first) * size);
    } else if (policy) {
      uint64_t addresses[chunk];
      for (int64_t begin = first; begin < last; begin += chunk) {
        int64_t lanes = std::min(chunk, last - begin);
        for (int64_t k = 0; k < lanes; ++k)
          addresses[k] = address + uint64_t(begin + k) * uint64_t(step);
        policy->gather(s.site(i), addresses, nullptr, out + (at + begin) * size, size, lanes);
      }
    } else {
      readStrided(into, from, step, size, last - first);
    }
  });
  return whole ? whole : out;
}

const void *Access::load(Instance &s, const Instr &i, const Value *other, int64_t offset, int64_t count,
                         void *scratch) const {
  char *out = static_cast<char *>(scratch);
  MemoryPolicy *policy = s.policy;
  if (kind == Kind::None) {
    fillOther(other, type, *shape, offset, count, out);
    return out;
  }
  if (kind == Kind::Uniform) {
    uint64_t bits = 0;
    if (policy)
      policy->read(s.site(i), base, &bits, size);
    else
      std::memcpy(&bits, reinterpret_cast<const void *>(base), size);
    fill(out, bits, size, count);
    return out;
  }
  if (kind == Kind::Rows && !mask)
    return loadRows(s, i, other, offset, count, out);
  uint64_t addresses[chunk];
  uint8_t lanes[chunk];
  if (kind == Kind::Rows && unitStride && !policy) { // a mask per lane over neighbours: runs of active lanes
    fillOther(other, type, *shape, offset, count, out);
    for (int64_t at = 0; at < count; at += chunk) {
      int64_t n = std::min(chunk, count - at);
      auto *active =
          static_cast<const uint8_t *>(fetch(*mask, DType::I1, *shape, offset + at, n, lanes).data);
      rows(offset + at, n, [&](uint64_t address, int64_t begin, int64_t length, int64_t, int64_t) {
        forRuns(active + begin, length, [&](int64_t first, int64_t run) {
          std::memcpy(out + (at + begin + first) * size,
                      reinterpret_cast<const void *>(address + uint64_t(first) * size), run * size);
        });
      });
    }
    return out;
  }
  // Lists of addresses, or rows with a mask per lane.
  static const GatherFn gathers[] = {gatherKernel(1), gatherKernel(2), gatherKernel(4), gatherKernel(8)};
  GatherFn gather = gathers[size == 8 ? 3 : size / 2];
  for (int64_t at = 0; at < count; at += chunk) {
    int64_t n = std::min(chunk, count - at);
    Strip where = fetch(*pointer, DType::Ptr, *shape, offset + at, n, addresses);
    if (where.splat)
      fill(addresses, *static_cast<const uint64_t *>(where.data), 8, n);
    auto *address = where.splat ? addresses : static_cast<const uint64_t *>(where.data);
    const uint8_t *active = nullptr;
    if (mask)
      active = static_cast<const uint8_t *>(fetch(*mask, DType::I1, *shape, offset + at, n, lanes).data);
    char *into = out + at * size;
    if (active || policy)
      fillOther(other, type, *shape, offset + at, n, into);
    if (policy)
      policy->gather(s.site(i), address, active, into, size, n);
    else
      gather(into, address, active, {into, false}, n);
  }
  return out;
}

void Access::fetchAhead(Instance &s, const Instr &i) const {
  if (kind != Kind::Rows || !unitStride || s.policy)
    return;
  Instance::Place &last = s.lastPlace[&i - s.code];
  auto moved = static_cast<int64_t>(base - last.address);
  int64_t programs = std::max<int64_t>(s.linear - last.linear, 1);
  bool advances = last.address && moved && moved % programs == 0;
  auto step = static_cast<uint64_t>(moved / programs);
  last = {base, s.linear};
  int64_t count = 1;
  for (int d = 0; d < rank; ++d)
    count *= dims[d];
  if (!advances || count * size > mostAhead)
    return;
  rows(0, count, [&](uint64_t address, int64_t, int64_t, int64_t first, int64_t end) {
    uint64_t from = address + step + uint64_t(first) * size, to = address + step + uint64_t(end) * size;
    for (uint64_t line = from; line < to; line += cacheLine)
      __builtin_prefetch(reinterpret_cast<const void *>(line), 0, 2);
  });
}

void Access::store(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const {
  const char *in = static_cast<const char *>(value.data);
  if (kind == Kind::None)
    return;
  // Whoever goes round in circles and stores what is there ends nobody's wait.
  s.writes += !s.repetition || changes(s, i, value, offset, count);
  if (kind == Kind::Uniform) {
    // The last lane wins.
    const char *last = value.splat ? in : in + (count - 1) * size;
    if (s.policy)
      s.policy->write(s.site(i), base, last, size);
    else
      std::memcpy(reinterpret_cast<void *>(base), last, size);
  } else if (kind == Kind::Rows && !mask) {
    storeRows(s, i, value, offset, count);
  } else if (kind == Kind::Rows && unitStride && !s.policy && !value.splat) {
    storeRuns(in, offset, count);
  } else {
    storeEach(s, i, value, offset, count);
  }
}

bool Access::changes(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const {
  const char *in = static_cast<const char *>(value.data);
  auto differs = [&](uint64_t address, int64_t lane) {
    uint64_t old = 0;
    if (s.policy)
      s.policy->read(s.site(i), address, &old, size);
    else
      std::memcpy(&old, reinterpret_cast<const void *>(address), size);
    return std::memcmp(&old, value.splat ? in : in + lane * size, size) != 0;
  };
  if (kind == Kind::Uniform)
    return differs(base, count - 1);
  if (kind == Kind::Rows && !mask) {
    bool any = false;
    rows(offset, count, [&](uint64_t address, int64_t at, int64_t, int64_t first, int64_t last) {
      for (int64_t k = first; k < last && !any; ++k)
        any = differs(address + uint64_t(k) * uint64_t(strides[rank - 1]), at + k);
    });
    return any;
  }
  uint64_t addresses[chunk];
  uint8_t lanes[chunk];
  for (int64_t at = 0; at < count; at += chunk) {
    int64_t n = std::min(chunk, count - at);
    Strip where = fetch(*pointer, DType::Ptr, *shape, offset + at, n, addresses);
    const uint8_t *active = nullptr;
    if (mask)
      active = static_cast<const uint8_t *>(fetch(*mask, DType::I1, *shape, offset + at, n, lanes).data);
    for (int64_t k = 0; k < n; ++k)
      if ((!active || active[k]) &&
          differs(static_cast<const uint64_t *>(where.data)[where.splat ? 0 : k], at + k))
        return true;
  }
  return false;
}

void Access::storeRows(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const {
  MemoryPolicy *policy = s.policy;
  const char *in = static_cast<const char *>(value.data);
  alignas(64) char wide[chunk * 8];
  if (value.splat && (policy || unitStride)) {
    uint64_t bits = 0;
    std::memcpy(&bits, in, size);
    fill(wide, bits, size, std::min(chunk, count));
  }
  rows(offset, count, [&](uint64_t address, int64_t at, int64_t, int64_t first, int64_t last) {
    int64_t step = strides[rank - 1];
    while (first < last) {
      int64_t n = value.splat || (policy && !unitStride) ? std::min(chunk, last - first) : last - first;
      const char *from = value.splat ? wide : in + (at + first) * size;
      uint64_t into = address + uint64_t(first) * uint64_t(step);
      if (unitStride && policy) {
        policy->write(s.site(i), into, from, n * size);
      } else if (unitStride) {
        std::memcpy(reinterpret_cast<void *>(into), from, n * size);
      } else if (policy) {
        uint64_t addresses[chunk];
        for (int64_t k = 0; k < n; ++k)
          addresses[k] = into + uint64_t(k) * uint64_t(step);
        policy->scatter(s.site(i), addresses, nullptr, from, size, n);
      } else {
        writeStrided(into, value.splat ? in : from, value.splat ? 0 : size, step, size, n);
      }
      first += n;
    }
  });
}

void Access::storeRuns(const char *in, int64_t offset, int64_t count) const {
  uint8_t lanes[chunk];
  for (int64_t at = 0; at < count; at += chunk) {
    int64_t n = std::min(chunk, count - at);
    auto *active = static_cast<const uint8_t *>(fetch(*mask, DType::I1, *shape, offset + at, n, lanes).data);
    rows(offset + at, n, [&](uint64_t address, int64_t begin, int64_t length, int64_t, int64_t) {
      forRuns(active + begin, length, [&](int64_t first, int64_t run) {
        std::memcpy(reinterpret_cast<void *>(address + uint64_t(first) * size),
                    in + (at + begin + first) * size, run * size);
      });
    });
  }
}

void Access::storeEach(Instance &s, const Instr &i, Strip value, int64_t offset, int64_t count) const {
  MemoryPolicy *policy = s.policy;
  const char *in = static_cast<const char *>(value.data);
  uint64_t addresses[chunk];
  uint8_t lanes[chunk];
  char wide[chunk * 8];
  static const ScatterFn scatters[] = {scatterKernel(1), scatterKernel(2), scatterKernel(4),
                                       scatterKernel(8)};
  ScatterFn scatter = scatters[size == 8 ? 3 : size / 2];
  for (int64_t at = 0; at < count; at += chunk) {
    int64_t n = std::min(chunk, count - at);
    Strip where = fetch(*pointer, DType::Ptr, *shape, offset + at, n, addresses);
    if (where.splat)
      fill(addresses, *static_cast<const uint64_t *>(where.data), 8, n);
    auto *address = where.splat ? addresses : static_cast<const uint64_t *>(where.data);
    const uint8_t *active = nullptr;
    if (mask)
      active = static_cast<const uint8_t *>(fetch(*mask, DType::I1, *shape, offset + at, n, lanes).data);
    Strip from = value.splat ? value : Strip{in + at * size, false};
    if (!policy) {
      scatter(address, active, from, n);
      continue;
    }
    if (from.splat) {
      uint64_t bits = 0;
      std::memcpy(&bits, in, size);
      fill(wide, bits, size, n);
      from = {wide, false};
    }
    policy->scatter(s.site(i), address, active, from.data, size, n);
  }
}

} // namespace trisect::interp
