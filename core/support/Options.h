//===- Options.h - options from the environment, checked ------------------------------------------------===//
//
// What: the rows of Options.def and their present values. A value is what set() gave, else the environment's,
// else the default.
// Why: one table for all layers; a value that makes no sense is an error that lists the good ones instead of
// being ignored.
// Limits: space around a value does not count, but in texts and paths. The environment is read at each call,
// so that a change takes effect at the next launch; hot code keeps what it read for as long as optionEpoch()
// stays.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_OPTIONS_H
#define TRISECT_CORE_SUPPORT_OPTIONS_H

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trisect {

enum class OptionId : uint8_t {
#define TRISECT_OPTION(id, variable, kind, values, default, help) id,
#include "core/support/Options.def"
};

enum class OptionKind : uint8_t { Flag, Integer, Choice, List, Machine, Text, Path };

struct OptionInfo {
  OptionId id;
  std::string_view variable;
  OptionKind kind;
  std::string_view values;
  std::string_view defaultText;
  std::string_view help;
  bool idle; ///< has no effect here; `help` says why
};

/// All rows, in the order of OptionId.
std::span<const OptionInfo> optionTable();
const OptionInfo &info(OptionId id);
/// The row of an environment variable, or nothing.
std::optional<OptionId> optionFromVariable(std::string_view variable);

/// What a value may be, for people: `one of auto, interp, cpu, cuda`.
std::string allowedText(const OptionInfo &option);
/// Throws InvalidInput if `text` is no value of the option.
void checkOption(OptionId id, std::string_view text);
/// Checks every variable of the table that is set, and that dumps can be written where they are to lie; says
/// once of each variable that has no effect that it has none.
/// Where options are read anew: at a thread's first launch, after a change, before a compilation.
void checkEnvironment();

/// The present value as text; empty if it is not set and has no default. Throws InvalidInput on a bad value,
/// as do the readers below.
std::string optionText(OptionId id);
bool optionFlag(OptionId id);
/// Nothing if not set.
std::optional<int64_t> optionInteger(OptionId id);
/// The members of a List.
std::vector<std::string> optionList(OptionId id);

/// `word:N` of a Choice taken apart; the number is 0 for a plain word.
struct ChoiceValue {
  std::string word;
  int64_t number = 0;
};
ChoiceValue optionChoice(OptionId id);

/// Overrides the environment in this process; without a text the environment counts again.
void setOption(OptionId id, std::optional<std::string> text);
/// Says that a setting which is no option has changed: an epoch ends.
void noteOverride();
/// How often either was done.
uint64_t overrideCount();

/// A number that stays the same for this thread as long as no option has changed whose variable begins with
/// `TR`: what hot code worked out under it still holds. Never 0.
uint64_t optionEpoch();

/// Looks once whether an option has changed; optionEpoch() gives this thread the answer for as long as the
/// object lives. Another one within it looks again.
class OptionsHeld {
public:
  OptionsHeld();
  ~OptionsHeld();
  OptionsHeld(const OptionsHeld &) = delete;
  OptionsHeld &operator=(const OptionsHeld &) = delete;

private:
  struct OptionsSeen &seen; ///< by this thread
  bool outer;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_OPTIONS_H
