//===- Npy.cpp - NumPy's file format --------------------------------------------------------------------===//
//
// Reads versions 1 to 3, little endian, C order; writes version 1. bf16 and fp8 are written as unsigned
// integers of their width, since the format has no name for them.
//
//===----------------------------------------------------------------------------------------------------===//
#include "core/support/Files.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include "interp/tools/Buffer.h"
#include <cstring>

namespace trisect::tools {

namespace {

struct NpyName {
  DType type;
  const char *descr;
};
constexpr NpyName names[] = {{DType::I1, "|b1"},  {DType::I8, "|i1"},  {DType::I16, "<i2"},
                             {DType::I32, "<i4"}, {DType::I64, "<i8"}, {DType::F16, "<f2"},
                             {DType::F32, "<f4"}, {DType::F64, "<f8"}, {DType::I8, "|u1"},
                             {DType::I16, "<u2"}, {DType::I32, "<u4"}, {DType::I64, "<u8"}};

std::string field(const std::string &header, const std::string &key, char open, char close) {
  size_t at = header.find("'" + key + "'");
  size_t from = at == std::string::npos ? at : header.find(open, at + key.size() + 2);
  size_t to = from == std::string::npos ? from : header.find(close, from + 1);
  if (to == std::string::npos)
    throw InvalidInput(".npy header lacks '" + key + "'");
  return header.substr(from + 1, to - from - 1);
}

} // namespace

Buffer readNpy(const std::string &path) {
  std::string all = readFile(path);
  if (all.size() < 12 || all.compare(0, 6, "\x93NUMPY") != 0)
    throw InvalidInput("'" + path + "' is no .npy file");
  size_t start = all[6] == 1 ? 10 : 12, length = 0;
  std::memcpy(&length, all.data() + 8, start - 8);
  if (all.size() < start + length)
    throw InvalidInput("'" + path + "' ends within its header");
  std::string header = all.substr(start, length);
  Buffer buffer;
  std::string descr = field(header, "descr", '\'', '\'');
  bool known = false;
  for (const NpyName &each : names)
    if (!known && descr == each.descr) {
      buffer.type = each.type;
      known = true;
    }
  if (!known)
    throw InvalidInput("'" + path + "' has elements of type " + descr + ", which no kernel takes");
  if (header.find("'fortran_order': True") != std::string::npos)
    throw InvalidInput("'" + path + "' is in Fortran order; save it in C order");
  std::string extents = field(header, "shape", '(', ')');
  if (extents.ends_with(','))
    extents.pop_back();
  if (!trim(extents).empty())
    buffer.shape = parseExtents(extents, buffer.type);
  size_t bytes = static_cast<size_t>(buffer.elements()) * byteSize(buffer.type);
  if (all.size() - start - length < bytes)
    throw InvalidInput("'" + path + "' holds less than its header says");
  buffer.data.assign(all.begin() + static_cast<std::ptrdiff_t>(start + length),
                     all.begin() + static_cast<std::ptrdiff_t>(start + length + bytes));
  return buffer;
}

void writeNpy(const std::string &path, const Buffer &buffer) {
  const char *descr = byteSize(buffer.type) == 1 ? "|u1" : byteSize(buffer.type) == 2 ? "<u2" : "<u8";
  for (size_t n = std::size(names); n-- > 0;)
    if (names[n].type == buffer.type)
      descr = names[n].descr;
  std::string shape;
  for (int64_t extent : buffer.shape)
    shape += std::to_string(extent) + ",";
  std::string header =
      "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  auto length = static_cast<uint16_t>(header.size());
  writeFile(path, {{"\x93NUMPY\x01\x00", 8},
                   {reinterpret_cast<const char *>(&length), 2},
                   header,
                   {reinterpret_cast<const char *>(buffer.data.data()), buffer.data.size()}});
}

} // namespace trisect::tools
