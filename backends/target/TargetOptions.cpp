//===- TargetOptions.cpp - reading and checking launch options ------------------------------------------===//
#include "backends/target/Target.h"
#include "core/support/Options.h"
#include "core/support/Outcome.h"
#include "core/support/Text.h"
#include <algorithm>
#include <bit>
#include <limits>

namespace trisect {

namespace {
constexpr OptionRow commonRows[] = {
#define TRISECT_LAUNCH_OPTION(name, type, initial, values, effect, help)                                     \
  {#name, OptionType::type, initial, values, OptionEffect::effect, help},
#include "backends/target/LaunchOptions.def"
};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::pair<int64_t, int64_t> rangeOf(const OptionRow &row) {
  size_t dots = row.values.find("..");
  if (dots == std::string_view::npos)
    return {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()};
  return {*parseInteger(row.values.substr(0, dots)), *parseInteger(row.values.substr(dots + 2))};
}

[[noreturn]] void refuse(const OptionRow &row, const std::string &wanted, const std::string &text) {
  throw InvalidInput(std::string(row.name) + " must be " + wanted + ", not '" + text + "'");
}
} // namespace

std::string_view optionTypeName(OptionType type) {
  constexpr std::string_view names[] = {"Integer", "PowerOfTwo",   "OptionalInteger", "Integers", "Flag",
                                        "Text",    "OptionalText", "Texts",           "Pairs"};
  return names[static_cast<size_t>(type)];
}

std::string_view optionEffectName(OptionEffect effect) {
  constexpr std::string_view names[] = {"Front", "Code", "Launch", "Idle"};
  return names[static_cast<size_t>(effect)];
}

std::span<const OptionRow> TargetOptions::rows() { return commonRows; }

TargetOptions TargetOptions::read(const OptionTexts &texts) {
  TargetOptions options;
  OptionReader reader(texts);
  const OptionRow *row = commonRows;
#define TRISECT_LAUNCH_OPTION(name, ...) reader.read(*row++, options.name);
#include "backends/target/LaunchOptions.def"
  options.key = reader.key();
  std::vector<std::string> tiers = TargetRegistry::names();
  tiers.insert(tiers.begin(), {"auto", "interp"});
  if (!options.tier.empty() && std::find(tiers.begin(), tiers.end(), options.tier) == tiers.end())
    throw InvalidInput("tier must be one of " + listed(tiers) + ", not '" + options.tier + "'");
  return options;
}

std::string OptionReader::textOf(const OptionRow &row) {
  std::string text;
  if (auto given = texts.find(std::string(row.name)); given != texts.end()) {
    text = given->second;
  } else if (row.defaultText.starts_with("$")) {
    size_t colon = row.defaultText.find(':');
    text = optionText(optionFromVariable(row.defaultText.substr(1, colon - 1)).value());
    if (text.empty())
      text = row.defaultText.substr(colon + 1);
  } else {
    text = row.defaultText;
  }
  if (row.effect == OptionEffect::Code)
    codeKey += std::string(row.name) + "=" + text + ";";
  return text;
}

void OptionReader::parse(const OptionRow &row, const std::string &text, int64_t &value) {
  std::optional<int64_t> number = parseInteger(text);
  auto [least, most] = rangeOf(row);
  bool power = row.type == OptionType::PowerOfTwo;
  if (!number || *number < least || *number > most ||
      (power && !std::has_single_bit(static_cast<uint64_t>(*number))))
    refuse(row,
           std::string(power ? "a power of 2" : "a whole number") + " from " + std::to_string(least) +
               " to " + std::to_string(most),
           text);
  value = *number;
}

void OptionReader::parse(const OptionRow &row, const std::string &text, std::optional<int64_t> &value) {
  value.reset();
  if (!text.empty())
    parse(row, text, value.emplace());
}

void OptionReader::parse(const OptionRow &row, const std::string &text, std::vector<int64_t> &value) {
  value.clear();
  for (const std::string &part : split(text))
    parse(row, part, value.emplace_back());
}

void OptionReader::parse(const OptionRow &row, const std::string &text, bool &value) {
  if (text != "0" && text != "1")
    refuse(row, "1 or 0", text);
  value = text == "1";
}

void OptionReader::parse(const OptionRow &row, const std::string &text, std::string &value) {
  std::string list(row.values);
  std::replace(list.begin(), list.end(), '|', ',');
  std::vector<std::string> allowed = split(list);
  bool isDefault = text == row.defaultText; // an empty one, too
  if (!allowed.empty() && !isDefault && std::find(allowed.begin(), allowed.end(), text) == allowed.end())
    refuse(row, "one of " + listed(allowed), text);
  value = text;
}

void OptionReader::parse(const OptionRow &, const std::string &text, std::optional<std::string> &value) {
  value.reset();
  if (!text.empty())
    value = text;
}

void OptionReader::parse(const OptionRow &, const std::string &text, std::vector<std::string> &value) {
  value = split(text);
}

void OptionReader::parse(const OptionRow &row, const std::string &text, optiontype::Pairs &value) {
  value.clear();
  for (const std::string &part : split(text)) {
    size_t equals = part.find('=');
    if (equals == std::string::npos)
      refuse(row, "pairs name=value", text);
    value.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
}

} // namespace trisect
