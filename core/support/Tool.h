//===- Tool.h - what all command-line tools do alike ----------------------------------------------------===//
//
// What: the frame of a tool (usage, exit status, standard streams) and its options. Why: wrong use, and
// output that cannot be written, must fail in each tool and say why. Limits: options are `--name`, `--name
// value` and `--name=value`; tools whose options are MLIR's take the frame alone.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_TOOL_H
#define TRISECT_CORE_SUPPORT_TOOL_H

#include "core/support/Numbers.h"
#include "core/support/Outcome.h"
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace trisect {

/// The command line makes no sense: exit status 2.
class WrongUse : public InvalidInput {
  using InvalidInput::InvalidInput;
};

/// A standard stream that is closed stays so, in place of becoming the first file that is opened: reading
/// standard input finds nothing, writing to standard output fails.
void holdStandardStreams();

struct Tool {
  const char *name;
  const char *usage;
  int problem = 2; ///< the exit status after any other exception
};

/// Does the work with the words behind the tool's name, and gives the exit status: that of the work, or of
/// what it threw. Without words the usage goes to standard error (status 2), for `--help` and `-h` to
/// standard output. What standard output did not take is a problem too.
int runTool(const Tool &tool, int argc, char **argv,
            const std::function<int(const std::vector<std::string> &)> &work);

inline constexpr double leastSeconds = 1e-3, mostSeconds = 1e6; ///< of any limit of time

/// Does the work and gives its exit status, without the usage: for a tool that has help of its own.
int guardTool(const Tool &tool, const std::function<int()> &work);

struct ToolOption {
  std::string name; ///< with its dashes
  std::function<void(const std::string &value)> take;
  bool hasValue = true;
  bool repeats = false; ///< may be given more than once
};

ToolOption flagOption(std::string name, bool &into);
ToolOption textOption(std::string name, std::string &into);
ToolOption realOption(const std::string &name, double &into, double least, double most);
/// The most that a type and 64 bits with a sign hold.
template <typename T>
inline constexpr int64_t mostOf =
    sizeof(T) < 8 ? static_cast<int64_t>(std::numeric_limits<T>::max()) : std::numeric_limits<int64_t>::max();
template <typename T>
ToolOption wholeOption(const std::string &name, T &into, int64_t least, int64_t most = mostOf<T>) {
  return {name, [name, &into, least, most](const std::string &value) {
            into = static_cast<T>(wholeNumber(value, name.c_str(), least, most));
          }};
}
template <typename T> ToolOption wholeOption(const std::string &name, std::optional<T> &into, int64_t least) {
  return {name, [name, &into, least](const std::string &value) {
            into = static_cast<T>(wholeNumber(value, name.c_str(), least, mostOf<T>));
          }};
}
/// One of the words; `into` becomes its number.
ToolOption choiceOption(const std::string &name, int &into, std::vector<std::string> words);

/// Takes the options; gives the words that are none. Throws WrongUse.
std::vector<std::string> readOptions(const std::vector<std::string> &words,
                                     const std::vector<ToolOption> &options);
/// The one word that is no option; `what` says what it should be. Throws WrongUse.
std::string onlyWord(const std::vector<std::string> &words, const std::string &what);

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_TOOL_H
