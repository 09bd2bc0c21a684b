//===- Options.cpp - reading and checking options -------------------------------------------------------===//
#include "core/support/Options.h"
#include "core/support/DumpSink.h"
#include "core/support/ForkGate.h"
#include "core/support/Outcome.h"
#include "core/support/PerThread.h"
#include "core/support/Text.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace trisect {

namespace {
// Their strings are literals, so that `variable` ends in a zero.
constexpr OptionInfo rows[] = {
#define TRISECT_OPTION(id, variable, kind, values, default, help)                                            \
  {OptionId::id, variable, OptionKind::kind, values, default, help, false},
#define TRISECT_IDLE_OPTION(id, variable, kind, values, default, help)                                       \
  {OptionId::id, variable, OptionKind::kind, values, default, help, true},
#include "core/support/Options.def"
};

using Overrides = std::array<std::optional<std::string>, std::size(rows)>;
ForkMutex overridesMutex;
Overrides &overrides =
    *new Overrides; ///< never destroyed: threads of the host launch while the process exits
std::atomic<uint64_t> overridesMade{0};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::optional<bool> parseFlag(std::string_view text) {
  std::string word = lower(text);
  for (std::string_view yes : {"1", "true", "yes", "on", "y"})
    if (word == yes)
      return true;
  for (std::string_view no : {"0", "false", "no", "off", "n"})
    if (word == no)
      return false;
  return std::nullopt;
}

std::pair<int64_t, int64_t> integerRange(const OptionInfo &option) {
  size_t dots = option.values.find("..");
  return {*parseInteger(option.values.substr(0, dots)), *parseInteger(option.values.substr(dots + 2))};
}

/// The values that stand alone, and those that a comma joins.
std::pair<std::string_view, std::string_view> listValues(const OptionInfo &option) {
  size_t bars = option.values.find("||");
  return {option.values.substr(0, bars), option.values.substr(bars + 2)};
}

bool contains(const std::vector<std::string_view> &values, std::string_view text) {
  return std::find(values.begin(), values.end(), text) != values.end();
}

std::optional<ChoiceValue> parseChoice(const OptionInfo &option, std::string_view text) {
  std::vector<std::string_view> values = split(option.values, '|');
  if (contains(values, text) && !text.ends_with(":N"))
    return ChoiceValue{std::string(text), 0};
  size_t colon = text.find(':');
  if (colon == std::string_view::npos || !contains(values, std::string(text.substr(0, colon)).append(":N")))
    return std::nullopt;
  std::optional<int64_t> number = parseInteger(text.substr(colon + 1));
  if (!number || *number < 1)
    return std::nullopt;
  return ChoiceValue{std::string(text.substr(0, colon)), *number};
}

/// `sm90`, `sm_90`, `sm_90a`
bool namesGpu(std::string_view text) {
  if (!text.starts_with("sm"))
    return false;
  text.remove_prefix(text.starts_with("sm_") ? 3 : 2);
  if (text.ends_with('a'))
    text.remove_suffix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool accepts(const OptionInfo &option, std::string_view text) {
  switch (option.kind) {
  case OptionKind::Flag:
    return parseFlag(text).has_value();
  case OptionKind::Integer: {
    auto [least, most] = integerRange(option);
    std::optional<int64_t> value = parseInteger(text);
    return value && *value >= least && *value <= most;
  }
  case OptionKind::Choice:
    return parseChoice(option, text).has_value();
  case OptionKind::List: {
    auto [alone, joined] = listValues(option);
    if (contains(split(alone, '|'), text))
      return true;
    std::vector<std::string_view> members = split(text, ','), known = split(joined, '|');
    return std::all_of(members.begin(), members.end(),
                       [&](std::string_view member) { return contains(known, member); });
  }
  case OptionKind::Machine:
    return contains(split(option.values, '|'), text) || namesGpu(text);
  case OptionKind::Text:
  case OptionKind::Path:
    return true;
  }
  return false;
}

std::string joined(std::string_view values) { return listed(split(values, '|')); }

std::string trimmed(const OptionInfo &option, const char *text) {
  std::string_view all = text;
  constexpr const char *space = " \t\n";
  if (option.kind == OptionKind::Text || option.kind == OptionKind::Path || all.empty())
    return std::string(all);
  size_t begin = all.find_first_not_of(space);
  return begin == std::string_view::npos
             ? std::string()
             : std::string(all.substr(begin, all.find_last_not_of(space) + 1 - begin));
}

bool isDefault(const OptionInfo &option, const std::string &text) {
  if (option.kind == OptionKind::Flag)
    return parseFlag(text).value_or(false) == parseFlag(option.defaultText).value_or(false);
  return text == option.defaultText;
}

void tellIdle(const OptionInfo &option) {
  static std::array<std::atomic<bool>, std::size(rows)> told;
  if (!told[static_cast<size_t>(option.id)].exchange(true))
    std::fprintf(stderr, "trisect: %s has no effect: %s\n", std::string(option.variable).c_str(),
                 std::string(option.help).c_str());
}
} // namespace

std::span<const OptionInfo> optionTable() { return rows; }

const OptionInfo &info(OptionId id) { return rows[static_cast<size_t>(id)]; }

std::optional<OptionId> optionFromVariable(std::string_view variable) {
  for (const OptionInfo &row : rows)
    if (row.variable == variable)
      return row.id;
  return std::nullopt;
}

std::string allowedText(const OptionInfo &option) {
  switch (option.kind) {
  case OptionKind::Flag:
    return "1, true, yes, on or 0, false, no, off";
  case OptionKind::Integer: {
    auto [least, most] = integerRange(option);
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  }
  case OptionKind::Choice:
    return "one of " + joined(option.values);
  case OptionKind::List: {
    auto [alone, members] = listValues(option);
    std::string some = "any of " + joined(members) + ", joined by commas";
    return alone.empty() ? some : "one of " + joined(alone) + "; or " + some;
  }
  case OptionKind::Machine:
    return "a GPU such as sm90, or one of " + joined(option.values);
  case OptionKind::Text:
    return "any text";
  case OptionKind::Path:
    return "a path";
  }
  return {};
}

void checkOption(OptionId id, std::string_view text) {
  const OptionInfo &option = info(id);
  if (!text.empty() && !accepts(option, text))
    throw InvalidInput(std::string(option.variable) + "='" + std::string(text) +
                       "' makes no sense: expected " + allowedText(option));
}

void noteOverride() { overridesMade.fetch_add(1, std::memory_order_acq_rel); }

uint64_t overrideCount() { return overridesMade.load(std::memory_order_acquire); }

static std::optional<std::string> overrideOf(OptionId id) {
  if (!overrideCount())
    return std::nullopt;
  std::lock_guard lock(overridesMutex);
  return overrides[static_cast<size_t>(id)];
}

std::string optionText(OptionId id) {
  std::string text;
  if (std::optional<std::string> set = overrideOf(id))
    text = std::move(*set);
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): a literal, see above
  else if (const char *environment = std::getenv(info(id).variable.data()))
    text = trimmed(info(id), environment);
  if (text.empty())
    return std::string(info(id).defaultText);
  // Launches read options: a text is checked once.
  static constinit PerThread<std::array<std::string, std::size(rows)>> accepted;
  std::string &known = accepted.get()[static_cast<size_t>(id)];
  if (text != known) {
    checkOption(id, text);
    known = text;
  }
  return text;
}

void checkEnvironment() {
  for (const OptionInfo &row : rows)
    if (std::string text = optionText(row.id); row.idle && !isDefault(row, text))
      tellIdle(row);
  requireDumpsWritable();
}

bool optionFlag(OptionId id) { return parseFlag(optionText(id)).value_or(false); }

std::optional<int64_t> optionInteger(OptionId id) {
  // Every launch asks for two. To look at each variable of the environment takes longer than optionEpoch().
  struct Known {
    uint64_t epoch = 0;
    std::optional<int64_t> value;
  };
  static constinit PerThread<std::array<Known, std::size(rows)>> all;
  Known &known = all.get()[static_cast<size_t>(id)];
  if (uint64_t now = optionEpoch(); now != known.epoch) {
    known.value = parseInteger(optionText(id));
    known.epoch = now; // not before: a bad text is told each time
  }
  return known.value;
}

ChoiceValue optionChoice(OptionId id) {
  return parseChoice(info(id), optionText(id)).value_or(ChoiceValue{});
}

std::vector<std::string> optionList(OptionId id) {
  std::string text = optionText(id);
  std::vector<std::string> members;
  for (std::string_view member : split(text, ','))
    members.emplace_back(member);
  return members;
}

void setOption(OptionId id, std::optional<std::string> text) {
  if (text)
    checkOption(id, *text);
  std::lock_guard lock(overridesMutex);
  overrides[static_cast<size_t>(id)] = std::move(text);
  overridesMade.fetch_add(1, std::memory_order_release);
}

} // namespace trisect
