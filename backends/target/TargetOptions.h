//===- TargetOptions.h - what a launch may say about compilation ----------------------------------------===//
//
// What: the launch options of a target as a typed struct, read from text and checked; and the rows that they
// are made from, for Python and docs.
// Why: one declaration, a .def file, is the source of the struct, of the class that Python shows and of
// docs/options.md, so that an option can neither be lost on the way nor mean two things.
// Limits: names that a target does not know are ignored here: a launch carries what other targets understand.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_TARGET_TARGETOPTIONS_H
#define TRISECT_BACKENDS_TARGET_TARGETOPTIONS_H

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trisect {

/// The options of a launch by name. A list is joined by commas, a pair by `=`, a flag is 1 or 0.
using OptionTexts = std::map<std::string, std::string>;

/// What an option changes.
enum class OptionEffect : uint8_t {
  Front,  ///< the TTIR that the front end makes
  Code,   ///< what a target makes of it
  Launch, ///< neither: how launches run
  Idle,   ///< nothing here
};

/// The types of options, as in the rows.
namespace optiontype {
using Integer = int64_t;
using PowerOfTwo = int64_t;
using OptionalInteger = std::optional<int64_t>;
using Integers = std::vector<int64_t>;
using Flag = bool;
using Text = std::string;
using OptionalText = std::optional<std::string>;
using Texts = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;
} // namespace optiontype
enum class OptionType : uint8_t {
  Integer,
  PowerOfTwo,
  OptionalInteger,
  Integers,
  Flag,
  Text,
  OptionalText,
  Texts,
  Pairs,
};
std::string_view optionTypeName(OptionType type);
std::string_view optionEffectName(OptionEffect effect);

/// A row of a .def file.
struct OptionRow {
  std::string_view name;
  OptionType type;
  std::string_view defaultText; ///< `$VARIABLE`: what that environment variable says
  std::string_view values;      ///< `low..high` of numbers, `a|b` of texts; empty: any
  OptionEffect effect;
  std::string_view help;
};

/// The options of a launch; each target derives its own.
struct TargetOptions {
  TargetOptions() = default;
  TargetOptions(const TargetOptions &) = default;
  TargetOptions &operator=(const TargetOptions &) = default;
  virtual ~TargetOptions() = default;
#define TRISECT_LAUNCH_OPTION(name, type, initial, values, effect, help) optiontype::type name = {};
#include "backends/target/LaunchOptions.def"

  /// The options with effect Code and their values, for cache keys.
  std::string key;

  /// Host threads that a launch asks for; 0: no wish.
  unsigned threads() const { return static_cast<unsigned>(num_cpu_threads ? num_cpu_threads : num_threads); }

  static std::span<const OptionRow> rows();
  /// The options that every target understands. Throws InvalidInput as OptionReader does.
  static TargetOptions read(const OptionTexts &texts);
};

/// Fills the fields of a struct in the order of its rows.
class OptionReader {
public:
  explicit OptionReader(const OptionTexts &texts) : texts(texts) {}
  /// The value in the texts, else the default. Throws InvalidInput that names the option and says what it may
  /// be.
  template <class T> void read(const OptionRow &row, T &value) {
    std::string text = textOf(row);
    parse(row, text, value);
  }
  /// Of the rows read so far those with effect Code.
  const std::string &key() const { return codeKey; }

private:
  std::string textOf(const OptionRow &row);
  static void parse(const OptionRow &row, const std::string &text, int64_t &value);
  static void parse(const OptionRow &row, const std::string &text, std::optional<int64_t> &value);
  static void parse(const OptionRow &row, const std::string &text, std::vector<int64_t> &value);
  static void parse(const OptionRow &row, const std::string &text, bool &value);
  static void parse(const OptionRow &row, const std::string &text, std::string &value);
  static void parse(const OptionRow &row, const std::string &text, std::optional<std::string> &value);
  static void parse(const OptionRow &row, const std::string &text, std::vector<std::string> &value);
  static void parse(const OptionRow &row, const std::string &text, optiontype::Pairs &value);

  const OptionTexts &texts;
  std::string codeKey;
};

} // namespace trisect

#endif // TRISECT_BACKENDS_TARGET_TARGETOPTIONS_H
