//===- CorpusCheck.cpp - a corpus on a compiled tier beside tier 0 --------------------------------------===//
#include "jit/tools/CorpusCheck.h"
#include "backends/target/Guards.h"
#include "core/ir/Parse.h"
#include "core/support/Files.h"
#include "core/support/Options.h"
#include "core/support/PrintSink.h"
#include "core/support/Tool.h"
#include "interp/tools/CorpusFolder.h"
#include "interp/tools/CorpusModule.h"
#include "jit/check/Alone.h"
#include "jit/tiers/Tier.h"
#include "jit/tools/CompiledTier.h"
#include "jit/tools/Mirror.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

namespace trisect::tools {

namespace {
using jit::VerdictKind;

struct Request {
  std::string folder, tier = "cpu", json;
  double limit = 10;
  bool list = false;

  explicit Request(const std::vector<std::string> &words) {
    folder = onlyWord(readOptions(words, {flagOption("--list", list), textOption("--tier", tier),
                                          realOption("--limit", limit, leastSeconds, mostSeconds),
                                          textOption("--json", json)}),
                      "a folder of .ttir files");
  }
};

/// What became of the forms of all modules.
class Tally {
public:
  Tally(std::string tier, bool list) : tier(std::move(tier)), list(list) {}

  void add(const std::string &module, const char *form, const jit::Verdict &verdict) {
    ++forms;
    std::string kind(jit::verdictName(verdict.kind));
    ++verdicts[kind];
    doubtful += verdict.doubtful > 0;
    if (verdict.kind == VerdictKind::Within)
      worst = std::max(worst, verdict.worst);
    if (verdict.kind == VerdictKind::Different)
      note("different", verdict.describe(tier), module + ", " + form);
    if (verdict.kind == VerdictKind::Inconclusive)
      note("inconclusive", verdict.reason, module + ", " + form);
    if (list)
      std::printf("%s, %s: %s\n", module.c_str(), form, verdict.describe(tier).c_str());
  }
  void note(const std::string &what, const std::string &reason, const std::string &module) {
    reasons[what][reason].push_back(module);
  }
  void addModule(bool ran) {
    ++modules;
    compared += ran;
  }
  size_t all() const { return modules; }
  bool bad() const {
    return reasons.contains("different") || reasons.contains("broken") || reasons.contains("invalid");
  }

  void print() const {
    for (const auto &[what, groups] : reasons)
      for (const auto &[reason, names] : groups) {
        std::printf("%6zu  %s: %s\n", names.size(), what.c_str(), reason.substr(0, 300).c_str());
        for (size_t n = 0;
             n < names.size() && (list || what == "different" || what == "broken" || what == "invalid"); ++n)
          std::printf("          %s\n", names[n].c_str());
      }
    std::printf("%zu modules, %zu compared in %zu forms:", modules, compared, forms);
    for (const auto &[kind, count] : verdicts)
      std::printf(" %zu %s,", count, kind.c_str());
    std::printf(" %zu with elements in doubt; at most %.3g of a bound\n", doubtful, worst);
  }
  llvm::json::Object record() const {
    llvm::json::Object counts, why;
    for (const auto &[kind, count] : verdicts)
      counts[kind] = static_cast<int64_t>(count);
    for (const auto &[what, groups] : reasons) {
      llvm::json::Object each;
      for (const auto &[reason, names] : groups)
        each[reason.substr(0, 300)] = llvm::json::Array(names);
      why[what] = std::move(each);
    }
    llvm::json::Object whole;
    whole["modules"] = static_cast<int64_t>(modules);
    whole["compared"] = static_cast<int64_t>(compared);
    whole["forms"] = static_cast<int64_t>(forms);
    whole["verdicts"] = std::move(counts);
    whole["in_doubt"] = static_cast<int64_t>(doubtful);
    whole["worst_share_of_bound"] = worst;
    whole["reasons"] = std::move(why);
    return whole;
  }

private:
  using Groups = std::map<std::string, std::vector<std::string>>;

  std::string tier;
  bool list;
  size_t modules = 0, compared = 0, forms = 0, doubtful = 0;
  double worst = 0;
  std::map<std::string, size_t> verdicts;
  std::map<std::string, Groups> reasons;
};

std::vector<ProgramRange> everyProgram(const Grid &grid, bool together) {
  if (together)
    return {{0, grid.programs()}};
  std::vector<ProgramRange> all;
  for (int64_t id = 0; id < grid.programs(); ++id)
    all.push_back({id, 1});
  return all;
}

/// The forms of one kernel, compared.
class Module {
public:
  Module(const Place &place, const CorpusLaunch &launch, std::string name, Tally &tally)
      : tier{place.target, place.device}, request(launch.request), name(std::move(name)), tally(tally),
        kernel(jit::Kernel::create(tt::printBytecode(launch.module), launch.kernel)),
        reference(jit::InterpExecutable::decode(*kernel)) {
    if (!place.device->memory().isHost())
      moveTo(place, launch.ranges);
  }

  void run() {
    auto narrow = jit::compileFor(tier, *kernel, Form::Disjoint);
    if (!holds(*narrow, request))
      tally.note("form not used", "arguments overlap", name);
    else
      compare(narrow, "disjoint");
    // Where nothing hangs on what overlaps there is one form only.
    if (!narrow->guards.empty())
      compare(jit::compileFor(tier, *kernel, Form::Any), "any");
  }

private:
  /// The launch on copies of its memory there.
  void moveTo(const Place &place, const std::vector<HostRange> &ranges) {
    request.device = place.where;
    mirror.emplace(place.device->memory(), ranges);
    args.assign(request.args.begin(), request.args.end());
    views.assign(request.tensors.begin(), request.tensors.end());
    for (TensorView &view : views) {
      bool descriptor = args[view.argument] != view.address;
      args[view.argument] = descriptor
                                ? mirror->there(*reinterpret_cast<const DescriptorArg *>(args[view.argument]))
                                : mirror->there(view.address);
      view.address = mirror->there(view.address);
    }
    request.args = args;
    request.tensors = views;
  }

  void compare(const std::shared_ptr<const Artifact> &code, const char *form) {
    auto executable = tier.device->load(code);
    bool together = !code->waits.empty();
    tally.add(name, form,
              jit::compareAlone(*kernel, *reference, {*executable, tier.device->memory(), together}, request,
                                everyProgram(request.grid, together), std::chrono::hours(1)));
  }

  jit::Tier tier;
  LaunchRequest request;
  std::optional<Mirror> mirror;
  std::vector<ArgBits> args;
  std::vector<TensorView> views;
  std::string name;
  Tally &tally;
  std::shared_ptr<const jit::Kernel> kernel;
  std::unique_ptr<jit::InterpExecutable> reference;
};

void checkModule(const std::filesystem::path &file, const std::string &name, const Request &asked,
                 const Place &place, CorpusMemory &memory, Tally &tally) {
  CorpusOutcome outcome =
      planCorpusModule(file.string(), memory, asked.limit, [&](const CorpusLaunch &launch) {
        try {
          Module(place, launch, name, tally).run();
        } catch (const Unsupported &reason) {
          tally.note("refused", reason.what(), name);
        } catch (const KernelFault &fault) {
          tally.note("broken", fault.what(), name);
        } catch (const std::exception &error) {
          tally.note("broken", error.what(), name);
        }
      });
  bool ran = outcome.end == CorpusOutcome::End::Ran;
  if (!ran)
    tally.note(outcome.end == CorpusOutcome::End::Invalid ? "invalid" : "not run by tier 0", outcome.reason,
               name);
  tally.addModule(ran);
}

/// Names a module that does not end, and ends the process: what runs on a device cannot be stopped.
class Patience {
public:
  explicit Patience(double seconds)
      : seconds(seconds), thread([this](const std::stop_token &stop) { watch(stop); }) {}
  void begin(const std::string &module) {
    std::lock_guard guard(lock);
    name = module;
    started = Clock::now();
  }

private:
  using Clock = std::chrono::steady_clock;

  void watch(const std::stop_token &stop) {
    std::unique_lock guard(lock);
    while (!stop.stop_requested()) {
      wake.wait_for(guard, stop, std::chrono::milliseconds(200), [] { return false; });
      if (stop.stop_requested() || name.empty() ||
          Clock::now() - started < std::chrono::duration<double>(seconds))
        continue;
      std::fflush(stdout);
      std::fprintf(stderr, "trisect-check: %s does not end in %.0f s; what follows it was not checked\n",
                   name.c_str(), seconds);
      std::_Exit(3);
    }
  }

  double seconds;
  std::mutex lock;
  std::condition_variable_any wake;
  std::string name;
  Clock::time_point started;
  std::jthread thread; ///< the last: it uses the others
};

} // namespace

int checkCorpus(const std::vector<std::string> &words) {
  Request asked(words);
  Place place = placeOf(asked.tier);
  // What a kernel prints is of no interest here.
  setPrintSink([](std::string_view) {});
  // Code that never ends is stopped, and counted as broken.
  setOption(OptionId::Timeout, std::to_string(static_cast<int>(std::ceil(asked.limit)) * 6));
  std::vector<std::filesystem::path> files = modulesIn(asked.folder);
  Tally tally(asked.tier, asked.list);
  {
    CorpusMemory memory;
    CorpusProgress progress(files.size());
    Patience patience(asked.limit * 150); // a large product takes an assembler two minutes
    for (const std::filesystem::path &file : files) {
      std::string name = nameInCorpus(file, asked.folder).string();
      patience.begin(name);
      checkModule(file, name, asked, place, memory, tally);
      progress.show(tally.all());
    }
  }
  tally.print();
  if (!asked.json.empty())
    writeFile(asked.json, {llvm::formatv("{0:2}\n", llvm::json::Value(tally.record())).str()});
  return tally.bad() ? 1 : 0;
}

} // namespace trisect::tools
