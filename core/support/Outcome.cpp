//===- Outcome.cpp - names of faults and positions ------------------------------------------------------===//
#include "core/support/Outcome.h"

namespace trisect {

namespace {
constexpr std::pair<FaultKind, std::string_view> kindNames[] = {
    {FaultKind::OutOfBounds, "out-of-bounds"},
    {FaultKind::UninitializedRead, "uninitialized-read"},
    {FaultKind::UndefinedValue, "undefined-value"},
    {FaultKind::Race, "race"},
    {FaultKind::StoreConflict, "store-conflict"},
    {FaultKind::RedundantStore, "redundant-store"},
    {FaultKind::IntegerOverflow, "integer-overflow"},
    {FaultKind::BrokenHint, "broken-hint"},
    {FaultKind::Misaligned, "misaligned"},
    {FaultKind::Assert, "assert"},
    {FaultKind::Deadlock, "deadlock"},
    {FaultKind::NanOrigin, "nan-origin"},
};
} // namespace

std::string_view faultKindName(FaultKind kind) {
  for (auto [known, name] : kindNames)
    if (known == kind)
      return name;
  return "unknown";
}

std::optional<FaultKind> faultKindFromName(std::string_view name) {
  for (auto [kind, known] : kindNames)
    if (known == name)
      return kind;
  return std::nullopt;
}

std::string SourcePosition::str() const {
  if (!known())
    return "<unknown>";
  std::string text = file + ":" + std::to_string(line);
  if (column > 0)
    text += ":" + std::to_string(column);
  return text;
}

} // namespace trisect
