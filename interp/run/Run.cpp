//===- Run.cpp - choosing threads and order for a launch ------------------------------------------------===//
#include "interp/run/Run.h"
#include "core/support/AtomicsGate.h"
#include "core/support/BlockMemory.h"
#include "core/support/MemoryGuard.h"
#include "core/support/Options.h"
#include "core/support/WatchedThreads.h"
#include "interp/exec/Schedule.h"
#include "interp/observe/Printer.h"
#include "interp/observe/Trace.h"
#include "interp/shadow/ShadowRun.h"
#include <algorithm>
#include <chrono>
#include <cstdio>

namespace trisect::interp {

namespace {
/// Below this many nanoseconds a second thread costs more than it brings.
constexpr int64_t worthThreads = 20'000;

void check(const Program &program, const LaunchRequest &request, const RunOptions &options) {
  if (request.args.size() != program.parameters.size())
    throw InvalidInput("kernel " + program.kernel + " takes " + std::to_string(program.parameters.size()) +
                       " arguments, the launch gives " + std::to_string(request.args.size()));
  const Grid &grid = request.grid;
  if (grid.x < 0 || grid.y < 0 || grid.z < 0)
    throw InvalidInput("a grid of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
                       std::to_string(grid.z) + " programs: no extent may be negative");
  for (int64_t id : options.programs)
    if (id < 0 || id >= grid.programs())
      throw InvalidInput("program " + std::to_string(id) + " is outside a grid of " +
                         std::to_string(grid.programs()));
}

/// Whether programs change the launch's own memory by atomics: compiled code beside them must know
/// (core/support/AtomicsGate.h).
AtomicsStay::Kind stayOf(const Program &program, const RunOptions &options) {
  return program.hasAtomics && !options.overlay ? AtomicsStay::Kind::Shared : AtomicsStay::Kind::None;
}

/// One thread: the shadow of memory has one user. Findings are handed over also when the launch ends early.
void runShadowed(const Program &program, const LaunchRequest &request, const RunOptions &options,
                 std::optional<uint64_t> seed) {
  installMemoryGuard();
  LaunchWatch watch;
  AtomicsStay stay(stayOf(program, options), watch);
  ShadowRun shadowRun(program, request, options.sanitize, options.overlay);
  Printer printer(options.print, seed.has_value());
  Schedule schedule(program, request, options, watch, 1, printer, &shadowRun);
  if (seed)
    schedule.workSeeded(*seed);
  else
    schedule.work(0);
  std::vector<Finding> found = shadowRun.take();
  if (options.findings)
    *options.findings = std::move(found);
  else
    logFindings(std::move(found));
  printer.flush();
  schedule.finish();
}
} // namespace

void run(const Program &program, const LaunchRequest &request, const RunOptions &given) {
  RunOptions options = given;
  check(program, request, options);
  std::optional<Trace> trace;
  if (auto traced = optionInteger(OptionId::Trace); traced && !options.observer) {
    trace.emplace(*traced, [](const std::string &line) { std::fprintf(stderr, "%s\n", line.c_str()); });
    options.observer = &*trace;
  }
  blockmemory::readLimit();
  int64_t total = options.programs.empty() ? request.grid.programs() : options.programs.size();
  if (total == 0)
    return;
  std::optional<uint64_t> seed = options.seed;
  if (!seed)
    if (auto number = optionInteger(OptionId::Seed))
      seed = static_cast<uint64_t>(*number);
  int threads = options.threads > 0 ? options.threads : threadsOfLaunch();
  int64_t each = program.nanosPerProgram.load(std::memory_order_relaxed);
  bool quick = each > 0 && each * total < worthThreads;
  bool shadowed = options.sanitize.active() && !options.memory;
  if (options.overlay || options.memory || options.observer || seed || quick)
    threads = 1;
  options.threads = threads; // one program at a time may use all of them
  threads = shadowed ? 1 : static_cast<int>(std::min<int64_t>(threads, total));
  if (shadowed)
    return runShadowed(program, request, options, seed);

  auto started = std::chrono::steady_clock::now();
  installMemoryGuard();
  LaunchWatch watch;
  AtomicsStay stay(stayOf(program, options), watch);
  Printer printer(options.print, seed.has_value());
  Schedule schedule(program, request, options, watch, threads, printer);
  if (seed)
    schedule.workSeeded(*seed);
  else if (threads == 1)
    schedule.work(0);
  else
    onWatchedThreads(threads, watch, [&](int worker) { schedule.work(worker); });
  auto spent = std::chrono::steady_clock::now() - started;
  int64_t nanos = std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count() * threads / total;
  program.nanosPerProgram.store(std::max<int64_t>(1, nanos), std::memory_order_relaxed);
  printer.flush();
  schedule.finish();
}

} // namespace trisect::interp
