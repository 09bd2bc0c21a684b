//===- TrustRecord.cpp - records that stand one behind the other ----------------------------------------===//
//
// Each is a mark, a checksum, and its fields behind their length. A process that ends while it appends leaves
// a part of one: the next begins at the next mark.
//
//===----------------------------------------------------------------------------------------------------===//
#include "jit/cache/TrustRecord.h"
#include "core/support/Hash.h"
#include "core/support/Packing.h"

namespace trisect::jit {

namespace {
constexpr std::string_view mark = "\n\x1etrust";
constexpr size_t digits = 16;

template <class Coder> void code(Coder &coder, TrustRecord &record) {
  coder.field(record.object);
  coder.field(record.withdrawn);
  for (size_t i = 0, size = coder.length(record.hull); i < size; ++i) {
    coder.field(record.hull[i].low);
    coder.field(record.hull[i].high);
  }
  for (size_t i = 0, size = coder.length(record.paths); i < size; ++i)
    coder.field(record.paths[i]);
  coder.field(record.verdict);
}

std::string checksum(std::string_view body) { return hashBytes(body).hex().substr(0, digits); }
} // namespace

std::string TrustRecord::packed() const {
  Packer fields, framed;
  TrustRecord copy = *this;
  code(fields, copy);
  framed.field(fields.bytes);
  return std::string(mark) + checksum(fields.bytes) + framed.bytes;
}

std::vector<TrustRecord> recordsIn(std::string_view bytes) {
  std::vector<TrustRecord> records;
  for (size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at + 1)) {
    std::string_view rest = bytes.substr(at + mark.size());
    if (rest.size() < digits + 8)
      break;
    try {
      size_t size = 0;
      Unpacker(rest.substr(digits, 8), "a record").field(size);
      if (size > rest.size() - digits - 8)
        continue;
      std::string_view body = rest.substr(digits + 8, size);
      if (checksum(body) != rest.substr(0, digits))
        continue;
      TrustRecord record;
      Unpacker reader(body, "a record");
      code(reader, record);
      if (reader.atEnd())
        records.push_back(std::move(record));
    } catch (const InvalidInput &) {
      continue;
    }
  }
  return records;
}

} // namespace trisect::jit
