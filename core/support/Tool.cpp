//===- Tool.cpp - the frame of a tool, and its options --------------------------------------------------===//
#include "core/support/Tool.h"
#include "core/support/Options.h"
#include "core/support/Text.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <set>

namespace trisect {

namespace {
/// Why standard output did not take all; empty if it did.
std::string lostOutput() {
  errno = 0;
  if (std::fflush(stdout) == 0 && !std::ferror(stdout))
    return "";
  if (!errno) { // it was full before; whoever tries again is told
    std::clearerr(stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  }
  return std::string("cannot write standard output") +
         (errno ? std::string(": ") + std::strerror(errno) : "");
}

/// An error in a file begins with its place, as editors expect it; any other with the tool's name.
void tell(const Tool &tool, std::string text, bool placed) {
  std::fflush(stdout);
  while (text.ends_with('\n'))
    text.pop_back();
  std::fprintf(stderr, "%s%s%s\n", placed ? "" : tool.name, placed ? "" : ": ", text.c_str());
}

int statusOf(const Tool &tool, const std::function<int()> &work) {
  try {
    return work();
  } catch (const WrongUse &error) {
    tell(tool, std::string(error.what()) + "\n" + tool.name + " --help lists what it takes", false);
    return 2;
  } catch (const Error &error) {
    tell(tool, error.what(), error.position().known());
  } catch (const std::filesystem::filesystem_error &error) {
    tell(tool, "'" + error.path1().string() + "': " + error.code().message(), false);
  } catch (const std::bad_alloc &) {
    tell(tool, "there is not enough memory", false);
  } catch (const std::exception &error) {
    tell(tool, error.what(), false);
  }
  return tool.problem;
}

const ToolOption &optionNamed(const std::string &name, const std::vector<ToolOption> &options) {
  auto found = std::ranges::find(options, name, &ToolOption::name);
  if (found == options.end())
    throw WrongUse("unknown option '" + name + "'");
  return *found;
}
} // namespace

void holdStandardStreams() {
  for (int stream : {0, 1, 2})
    if (fcntl(stream, F_GETFD) < 0)
      (void)!open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY); // the lowest number that is free: this one
}

int guardTool(const Tool &tool, const std::function<int()> &work) {
  int status = statusOf(tool, work);
  std::string lost = lostOutput();
  if (lost.empty())
    return status;
  tell(tool, lost, false);
  return status ? status : tool.problem;
}

int runTool(const Tool &tool, int argc, char **argv,
            const std::function<int(const std::vector<std::string> &)> &work) {
  holdStandardStreams();
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.empty()) {
    std::fputs(tool.usage, stderr);
    return 2;
  }
  return guardTool(tool, [&] {
    if (std::ranges::any_of(words, [](const std::string &word) { return word == "--help" || word == "-h"; }))
      return std::fputs(tool.usage, stdout), 0;
    try { // a variable that makes no sense is wrong use, too
      checkEnvironment();
    } catch (const InvalidInput &error) {
      return tell(tool, error.what(), false), 2;
    }
    return work(words);
  });
}

ToolOption flagOption(std::string name, bool &into) {
  return {std::move(name), [&into](const std::string &) { into = true; }, /*hasValue=*/false};
}

ToolOption textOption(std::string name, std::string &into) {
  return {std::move(name), [&into](const std::string &value) { into = value; }};
}

ToolOption realOption(const std::string &name, double &into, double least, double most) {
  return {name, [name, &into, least, most](const std::string &value) {
            into = realNumber(value, name.c_str(), least, most);
          }};
}

ToolOption choiceOption(const std::string &name, int &into, std::vector<std::string> words) {
  return {name, [name, &into, words = std::move(words)](const std::string &value) {
            auto found = std::ranges::find(words, value);
            if (found == words.end())
              throw WrongUse(name + " is one of " + listed(words) + ", not '" + value + "'");
            into = static_cast<int>(found - words.begin());
          }};
}

std::vector<std::string> readOptions(const std::vector<std::string> &words,
                                     const std::vector<ToolOption> &options) {
  std::vector<std::string> others;
  std::set<std::string> given;
  for (size_t n = 0; n < words.size(); ++n) {
    const std::string &word = words[n];
    if (!word.starts_with("-") || word == "-") {
      others.push_back(word);
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals), value;
    const ToolOption &option = optionNamed(name, options);
    if (!option.repeats && !given.insert(name).second)
      throw WrongUse(name + " is given twice");
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    else if (option.hasValue && n + 1 < words.size() && !words[n + 1].starts_with("--"))
      value = words[++n];
    if (option.hasValue && value.empty())
      throw WrongUse(name + " lacks its value");
    if (!option.hasValue && equals != std::string::npos)
      throw WrongUse(name + " takes no value");
    try {
      option.take(value);
    } catch (const InvalidInput &error) {
      throw WrongUse(error.what());
    }
  }
  return others;
}

std::string onlyWord(const std::vector<std::string> &words, const std::string &what) {
  if (words.empty())
    throw WrongUse("name " + what);
  if (words.size() > 1)
    throw WrongUse("it takes " + what + ", and '" + words[1] + "' comes behind '" + words[0] + "'");
  return words[0];
}

} // namespace trisect
