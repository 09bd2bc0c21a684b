//===- OpTable.cpp - look-up in the op table ------------------------------------------------------------===//
#include "core/support/OpTable.h"
#include <unordered_map>

namespace trisect {

namespace {
constexpr OpInfo rows[] = {
#define TRISECT_OP(id, mnemonic, cls, tolerance, ...)                                                        \
  {OpId::id, mnemonic, OpClass::cls, Tolerance::tolerance},
#include "core/ops.def"
};
} // namespace

std::span<const OpInfo> opTable() { return rows; }

std::optional<OpId> opFromMnemonic(std::string_view mnemonic) {
  static const auto *byName = [] {
    auto *map = new std::unordered_map<std::string_view, OpId>;
    for (const OpInfo &row : rows)
      map->emplace(row.mnemonic, row.id);
    return map;
  }();
  auto found = byName->find(mnemonic);
  if (found == byName->end())
    return std::nullopt;
  return found->second;
}

} // namespace trisect
