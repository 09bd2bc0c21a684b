//===- Parting.cpp - record by record -------------------------------------------------------------------===//
#include "jit/locate/Parting.h"
#include "jit/check/Element.h"
#include <algorithm>
#include <cmath>
#include <cstring>

namespace trisect::jit {

namespace {
constexpr int64_t mostShown = 1 << 14;

class Elements {
public:
  Elements(const Streams &streams, const WatchedValue &value, uint64_t offset)
      : streams(streams), value(value), offset(offset), size(byteSize(value.type)) {}

  uint64_t want(int64_t n) const { return readBits(streams.expected.data() + at(n), value.type); }
  uint64_t have(int64_t n) const { return readBits(streams.found.data() + at(n), value.type); }
  bool agree(int64_t n) const {
    uint64_t a = want(n), b = have(n);
    if (a == b || (isNan(a, value.type) && isNan(b, value.type)))
      return true;
    if (!streams.legality)
      return false;
    if (!streams.legality->lost().empty())
      return true;
    auto open = streams.legality->at(streams.address + at(n));
    return open && (open->legal.type != value.type || open->legal.span.inDoubt(value.type) ||
                    open->legal.span.holds(b, value.type));
  }
  std::optional<int64_t> firstDifference(bool unfinished) const {
    if (std::memcmp(streams.expected.data() + offset, streams.found.data() + offset,
                    static_cast<size_t>(value.elements) * size) == 0)
      return std::nullopt;
    for (int64_t n = 0; n < value.elements; ++n)
      if (!agree(n) && !(unfinished && have(n) == 0))
        return n;
    return std::nullopt;
  }
  /// How far the tiers are apart: in ULP, or as numbers.
  double apart(int64_t n) const {
    uint64_t a = want(n), b = have(n);
    if (a == b)
      return 0;
    if (isFloat(value.type))
      return static_cast<double>(ulpDistance(a, b, value.type).value_or(uint64_t(1) << 52));
    return std::abs(static_cast<double>(static_cast<int64_t>(a)) -
                    static_cast<double>(static_cast<int64_t>(b)));
  }

private:
  uint64_t at(int64_t n) const { return offset + static_cast<uint64_t>(n) * size; }

  const Streams &streams;
  const WatchedValue &value;
  uint64_t offset;
  unsigned size;
};

/// Which of two values that come next in either tier tells of a loop that goes on in one alone.
unsigned toBlame(unsigned expected, unsigned found, const Probes &probes) {
  if (probes.values()[expected].ofBody)
    return expected;
  return probes.values()[found].ofBody ? found : expected;
}

std::vector<int64_t> indexOf(int64_t element, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0; element /= shape[d])
    index[d] = element % shape[d];
  return index;
}

/// An operand at the same place; a scalar is the same everywhere.
LocatedOperand operandOf(unsigned number, const Parting &parting, const std::vector<Record> &records,
                         const Streams &streams, const Probes &probes) {
  const WatchedValue &operand = probes.values()[number], &value = probes.values()[parting.value];
  LocatedOperand told{operand.text, ""};
  if (operand.elements != 1 && operand.shape != value.shape)
    return told;
  for (size_t n = parting.record; n-- > 0;)
    if (records[n].value == number) {
      Elements elements(streams, operand, records[n].offset);
      told.value = elementText(elements.want(operand.elements == 1 ? 0 : parting.element), operand.type);
      break;
    }
  return told;
}
} // namespace

std::optional<Parting> firstParting(const Streams &streams, const Probes &probes) {
  std::vector<Record> expected = Streams::records(streams.expected, probes),
                      found = Streams::records(streams.found, probes);
  size_t both = std::min(expected.size(), found.size());
  for (size_t n = 0; n < both; ++n) {
    if (expected[n].value != found[n].value)
      return Parting{Location::Kind::Control, toBlame(expected[n].value, found[n].value, probes), n, 0};
    Elements elements(streams, probes.values()[expected[n].value], expected[n].offset);
    bool unfinished = streams.faulted && n + 1 == found.size();
    if (auto element = elements.firstDifference(unfinished)) {
      // A loop's own values differ because of what the loop began with, or of where it began.
      bool starts = probes.values()[expected[n].value].ofBody;
      return Parting{starts ? Location::Kind::Control : Location::Kind::Value, expected[n].value, n,
                     *element};
    }
  }
  if (streams.faulted && both > 0)
    return Parting{Location::Kind::Fault, expected[both - 1].value, both - 1, 0};
  if (!streams.faulted && expected.size() != found.size())
    return Parting{Location::Kind::Control, (expected.size() > both ? expected : found)[both].value, both, 0};
  return std::nullopt;
}

bool reaches(const MemoryOp &access, uint64_t address, uint64_t base, const Streams &streams,
             const Probes &probes) {
  if (access.addresses < 0)
    return address == base; // the argument itself
  auto number = static_cast<unsigned>(access.addresses);
  const WatchedValue &value = probes.values()[number];
  for (const Record &record : Streams::records(streams.expected, probes)) {
    if (record.value != number)
      continue;
    Elements elements(streams, value, record.offset);
    for (int64_t n = 0; n < value.elements; ++n)
      if (base + elements.want(n) == address)
        return true;
  }
  return false;
}

Location describeParting(const Parting &parting, const Streams &streams, const Probes &probes) {
  const WatchedValue &value = probes.values()[parting.value];
  std::vector<Record> records = Streams::records(streams.expected, probes);
  Location location;
  location.kind = parting.kind;
  location.op = {value.op, value.name, value.text, value.position};
  location.execution =
      std::count_if(records.begin(),
                    records.begin() + static_cast<std::ptrdiff_t>(std::min(parting.record, records.size())),
                    [&](const Record &record) { return record.value == parting.value; });
  bool same = parting.record < records.size() && records[parting.record].value == parting.value;
  if (!same || parting.kind == Location::Kind::Fault)
    return location;
  Elements elements(streams, value, records[parting.record].offset);
  location.shape = value.shape;
  location.index = indexOf(parting.element, value.shape);
  uint64_t want = elements.want(parting.element), have = elements.have(parting.element);
  location.expected = elementText(want, value.type);
  location.found = elementText(have, value.type);
  location.ulp = ulpDistance(want, have, value.type);
  for (int64_t n = 0; n < std::min(value.elements, mostShown); ++n)
    location.apart.push_back(elements.apart(n));
  for (unsigned operand : value.operands)
    location.operands.push_back(operandOf(operand, parting, records, streams, probes));
  return location;
}

} // namespace trisect::jit
