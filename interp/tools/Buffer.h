//===- Buffer.h - arguments written as text -------------------------------------------------------------===//
//
// What: kernel arguments from words such as `50`, `f32[64]:randn(7)`, `i32[4]:[1, 2, 3, 4]`, `@in.npy`,
// `desc f16[32, 64]:rand(1)`, and their contents element by element (docs/run-tests.md has the whole
// language). Limits: host memory; generators depend on their seed alone and give the same numbers everywhere.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_TOOLS_BUFFER_H
#define TRISECT_INTERP_TOOLS_BUFFER_H

#include "core/support/Launch.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trisect::tools {

struct Buffer {
  DType type = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> data;

  int64_t elements() const;
  uint64_t bits(int64_t at) const;
  void setBits(int64_t at, uint64_t bits);
  uint64_t address() const { return reinterpret_cast<uint64_t>(data.data()); }
};

/// One argument: a buffer, a descriptor of a buffer, or a scalar written as text.
struct Argument {
  std::string text;
  std::shared_ptr<Buffer> buffer; ///< null for a scalar
  std::shared_ptr<DescriptorArg> descriptor;

  /// What the kernel gets for a parameter of the type.
  ArgBits bitsFor(DType parameter) const;
  /// Throws InvalidInput if a parameter of the type takes no such argument; the rank is that of a descriptor,
  /// 0 for any other parameter.
  void mustFit(DType parameter, int descriptorRank) const;
};

/// Throws InvalidInput for text that makes no sense. `%N` in a list of pointers is the address of argument N.
Argument parseArgument(std::string_view text, const std::vector<Argument> &before);
/// The words of a list, split at `;` outside brackets.
std::vector<Argument> parseArguments(std::string_view text);
/// The bits of a number that the type holds, signed or not: `1.5`, `-inf`, `nan`, `0x7f`, `true`.
uint64_t parseBits(std::string_view text, DType type);
DType parseDType(std::string_view name);
/// Extents of a buffer that memory can hold: `4, 8`.
std::vector<int64_t> parseExtents(std::string_view text, DType type);
/// The words of `[1, 2, 3]`.
std::vector<std::string_view> parseList(std::string_view text);

Buffer readNpy(const std::string &path);
void writeNpy(const std::string &path, const Buffer &buffer);

} // namespace trisect::tools

#endif // TRISECT_INTERP_TOOLS_BUFFER_H
