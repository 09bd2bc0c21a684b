//===- Records.cpp - records to text and faults ---------------------------------------------------------===//
#include "backends/cuda/launch/Records.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace trisect::cuda {

namespace {
auto orderOf(const Record &record) {
  return std::tuple(record.program[2], record.program[1], record.program[0], record.site, record.operand,
                    record.element);
}

std::vector<Record> sorted(std::span<const Record> records, const std::vector<RecordSite> &sites,
                           RecordSite::Kind kind) {
  std::vector<Record> found;
  for (const Record &record : records)
    if (record.site < sites.size() && sites[record.site].kind == kind)
      found.push_back(record);
  std::sort(found.begin(), found.end(),
            [](const Record &a, const Record &b) { return orderOf(a) < orderOf(b); });
  return found;
}

/// `(i, j)`, each index as wide as the largest of its dimension.
std::string coordinates(const std::vector<int64_t> &shape, int64_t element) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = element % shape[d];
    element /= shape[d];
  }
  std::string text = "(";
  for (size_t d = 0; d < shape.size(); ++d) {
    std::string widest = std::to_string(shape[d] - 1), number = std::to_string(index[d]);
    text +=
        (d ? ", " : "") + std::string(widest.size() - std::min(widest.size(), number.size()), ' ') + number;
  }
  return text + ")";
}

std::string programText(const Record &record) {
  return "(" + std::to_string(record.program[0]) + ", " + std::to_string(record.program[1]) + ", " +
         std::to_string(record.program[2]) + ")";
}

/// The value of a float with these widths of exponent and fraction.
double decode(uint64_t bits, int exponentBits, int fractionBits, int bias, bool hasInfinity) {
  uint64_t fraction = bits & ((uint64_t(1) << fractionBits) - 1);
  auto exponent = static_cast<int>(bits >> fractionBits & ((1u << exponentBits) - 1));
  double sign = bits >> (fractionBits + exponentBits) & 1 ? -1 : 1;
  bool top = exponent == (1 << exponentBits) - 1;
  if (top && (hasInfinity || fraction == (uint64_t(1) << fractionBits) - 1))
    return fraction ? NAN : sign * INFINITY;
  double mantissa = static_cast<double>(fraction) + (exponent ? std::ldexp(1.0, fractionBits) : 0);
  return sign * std::ldexp(mantissa, std::max(exponent, 1) - bias - fractionBits);
}

double floatValue(uint64_t bits, DType type) {
  switch (type) {
  case DType::F64:
    return std::bit_cast<double>(bits);
  case DType::F32:
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  case DType::BF16:
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  case DType::F16:
    return decode(bits, 5, 10, 15, true);
  case DType::F8E5M2:
    return decode(bits, 5, 2, 15, true);
  default:
    return decode(bits, 4, 3, 7, false);
  }
}

std::string valueText(uint64_t bits, const RecordSite::Operand &operand, bool hex) {
  unsigned width = bitWidth(operand.type);
  if (width < 64)
    bits &= (uint64_t(1) << width) - 1;
  char text[64];
  if (hex || operand.type == DType::Ptr)
    std::snprintf(text, sizeof(text), "0x%0*llx", static_cast<int>(2 * byteSize(operand.type)),
                  static_cast<unsigned long long>(bits));
  else if (isFloat(operand.type))
    std::snprintf(text, sizeof(text), "%f", floatValue(bits, operand.type));
  else if (operand.isSigned && width > 1)
    std::snprintf(text, sizeof(text), "%lld",
                  static_cast<long long>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width)));
  else
    std::snprintf(text, sizeof(text), "%llu", static_cast<unsigned long long>(bits));
  return text;
}
} // namespace

std::string printedText(std::span<const Record> records, const std::vector<RecordSite> &sites,
                        uint32_t lostWords) {
  std::string text;
  for (const Record &record : sorted(records, sites, RecordSite::Kind::Print)) {
    const RecordSite &site = sites[record.site];
    text += "pid " + programText(record);
    if (record.operand >= site.operands.size()) {
      text += site.text + "\n"; // a print without values
      continue;
    }
    const RecordSite::Operand &operand = site.operands[record.operand];
    if (operand.isTensor)
      text += " idx " + coordinates(operand.shape, record.element);
    text += site.text + valueText(uint64_t(record.high) << 32 | record.low, operand, site.hex);
    if (site.operands.size() > 1)
      text += " (operand " + std::to_string(record.operand) + ")";
    text += "\n";
  }
  if (lostWords)
    text += "(the kernel prints more than its buffer holds; " + std::to_string(lostWords / recordWords) +
            " values are left out)\n";
  return text;
}

void throwFailedAssertion(std::span<const Record> records, const std::vector<RecordSite> &sites,
                          const std::string &kernel) {
  std::vector<Record> failed = sorted(records, sites, RecordSite::Kind::Assert);
  if (failed.empty())
    return;
  const Record &first = failed.front();
  const RecordSite &site = sites[first.site];
  Fault fault;
  fault.kind = FaultKind::Assert;
  fault.kernel = kernel;
  fault.position = site.position;
  std::copy_n(first.program, 3, fault.programId.begin());
  fault.details = {{"message", site.text}};
  std::string headline = "assertion failed" + (site.text.empty() ? "" : ": " + site.text);
  if (!site.operands.empty() && site.operands[0].isTensor) {
    std::string element = coordinates(site.operands[0].shape, first.element);
    headline += " at element " + element;
    fault.details.emplace_back("index", element);
  }
  fault.message = headline + "\n  at " + site.position.str() + ", in program " + programText(first) +
                  " of kernel " + kernel + ", tier cuda\n  blocks that had not begun have not run";
  throw KernelFault(std::move(fault));
}

} // namespace trisect::cuda
