//===- Locate.cpp - which values are watched next -------------------------------------------------------===//
#include "jit/locate/Locate.h"
#include "core/support/LaunchWatch.h"
#include "core/support/Outcome.h"
#include "jit/locate/Parting.h"
#include <algorithm>

namespace trisect::jit {

namespace {
/// So many values are watched in one run without a thought.
constexpr size_t few = 48;
constexpr size_t most = 160;
constexpr int mostWindows = 4, mostRuns = 24;

class Search {
public:
  Search(const std::shared_ptr<const Kernel> &kernel, const Tier &tier, Form form,
         const LaunchRequest &launch, const Verdict &verdict)
      : kernel(kernel), tier(tier), form(form), launch(launch), verdict(verdict), probes(*kernel) {}

  Location run() {
    std::set<unsigned> watched = firstChoice();
    Seen seen = look(watched);
    if (!seen.differs())
      return narrow(watched, std::nullopt);
    // Closer, until what the value comes from was watched too.
    while (asks(seen, watched) && runs < mostRuns) {
      std::set<unsigned> behind = between(watched, *seen.parting);
      if (behind == watched)
        break;
      Seen closer = look(behind);
      if (!closer.differs())
        return narrow(behind, seen.parting->value);
      if (!closer.parting)
        break;
      seen = std::move(closer);
      watched = std::move(behind);
    }
    Location location = seen.parting ? tell(*seen.parting, seen.streams) : ofMemory(seen.streams);
    location.runs = runs;
    return location;
  }

private:
  struct Seen {
    Streams streams;
    std::optional<Parting> parting;
    bool differs() const { return parting || streams.memory || streams.faulted; }
  };

  std::set<unsigned> firstChoice() const {
    std::set<unsigned> all, cuts;
    for (unsigned n = 0; n < probes.values().size(); ++n) {
      all.insert(n);
      if (probes.values()[n].cut)
        cuts.insert(n);
    }
    std::set<unsigned> chosen = all.size() <= few ? all : cuts;
    while (chosen.size() > most)
      chosen.erase(std::next(chosen.begin(), static_cast<std::ptrdiff_t>(chosen.size() / 2)));
    return chosen;
  }

  Seen look(const std::set<unsigned> &watched) {
    std::shared_ptr<const Kernel> watching = probes.watching(watched);
    Seen seen;
    for (int window = 0; window < mostWindows; ++window) {
      ++runs;
      int64_t from = window * (StreamFormat::window - StreamFormat::window / 8);
      seen.streams = streamsOf(watching, tier, form, launch, from);
      seen.parting = firstParting(seen.streams, probes);
      if (seen.parting || !Streams::overflows(seen.streams.expected, from))
        break;
    }
    return seen;
  }

  /// Whether a value differs of which an operand was not watched.
  bool asks(const Seen &seen, const std::set<unsigned> &watched) const {
    if (!seen.parting || seen.parting->kind != Location::Kind::Value)
      return false;
    const std::vector<unsigned> &operands = probes.values()[seen.parting->value].operands;
    return !std::ranges::all_of(operands, [&](unsigned each) { return watched.contains(each); });
  }

  /// What the value comes from, the nearest first, back to watched values, which agree.
  std::set<unsigned> between(const std::set<unsigned> &watched, const Parting &parting) const {
    std::set<unsigned> behind{parting.value};
    std::vector<unsigned> open(probes.values()[parting.value].operands);
    for (size_t n = 0; n < open.size() && behind.size() < few; ++n) {
      unsigned next = open[n];
      if (!behind.insert(next).second || watched.contains(next))
        continue;
      for (unsigned operand : probes.values()[next].operands)
        open.push_back(operand);
    }
    return behind;
  }

  /// The difference vanishes if all of `candidates` are watched: one at a time, by halves. `last` differs if
  /// others are watched; without one, memory does.
  Location narrow(const std::set<unsigned> &candidates, std::optional<unsigned> last) {
    std::vector<unsigned> order;
    for (unsigned value : candidates)
      if (!last || value < *last)
        order.push_back(value);
    size_t low = 0, high = order.size(); // before `low` all agree; at `high` it differs
    std::set<size_t> silent;
    while (low < high && runs < mostRuns) {
      std::optional<size_t> middle;
      for (size_t step = 0; step < high - low && !middle; ++step)
        if (size_t at = low + ((high - low) / 2 + step) % (high - low); !silent.contains(at))
          middle = at;
      if (!middle)
        break;
      Seen seen = look({order[*middle]});
      if (!seen.differs()) {
        silent.insert(*middle);
      } else if (seen.parting) {
        high = *middle;
        last = order[high];
      } else {
        low = *middle + 1;
      }
    }
    Location location;
    location.kind = Location::Kind::Region;
    location.runs = runs;
    location.program = launch.programs().first;
    if (low > 0)
      location.after = located(order[low - 1]);
    if (last)
      location.op = located(*last);
    else if (const MemoryOp *writer = writerOf(nullptr))
      location.op = {writer->op, writer->name, writer->text, writer->position};
    else
      location.op.name = "the end of the kernel";
    return location;
  }

  LocatedOp located(unsigned value) const {
    const WatchedValue &watched = probes.values()[value];
    return {watched.op, watched.name, watched.text, watched.position};
  }

  Location tell(const Parting &parting, const Streams &streams) const {
    Location location = describeParting(parting, streams, probes);
    location.program = launch.programs().first;
    if (parting.kind == Location::Kind::Fault)
      location.op = faultingOp(parting.value);
    return location;
  }

  /// The first access to memory behind what was written down last; a loop may lead back to its first one.
  LocatedOp faultingOp(unsigned last) const {
    for (const MemoryOp &each : probes.memoryOps())
      if (each.op > probes.values()[last].op)
        return {each.op, each.name, each.text, each.position};
    return located(last);
  }

  /// The operation that writes where the first difference is: the last one whose addresses reach it, else the
  /// last one to its tensor.
  const MemoryOp *writerOf(const Streams *streams) const {
    const MemoryOp *toTensor = nullptr, *toElement = nullptr;
    const std::optional<Difference> &first = streams && streams->memory ? streams->memory : verdict.first;
    for (const MemoryOp &each : probes.memoryOps()) {
      auto argument = static_cast<size_t>(each.argument);
      if (!each.writes || (first && !first->tensor.empty() && each.argument >= 0 &&
                           kernel->parameters()[argument].name != first->tensor))
        continue;
      toTensor = &each;
      if (streams && first && each.argument >= 0 &&
          reaches(each, first->address, launch.args[argument], *streams, probes))
        toElement = &each;
    }
    return toElement ? toElement : toTensor;
  }

  Location ofMemory(const Streams &streams) const {
    Location location;
    location.program = launch.programs().first;
    const MemoryOp *writer = writerOf(&streams);
    if (!writer) {
      location.note = "all values that were watched agree";
      return location;
    }
    location.kind = Location::Kind::Memory;
    location.op = {writer->op, writer->name, writer->text, writer->position};
    const std::optional<Difference> &first = streams.memory ? streams.memory : verdict.first;
    if (first) {
      location.index = first->index;
      location.expected = first->expected;
      location.found = first->found;
      location.ulp = first->ulp;
    }
    return location;
  }

  std::shared_ptr<const Kernel> kernel;
  Tier tier;
  Form form;
  const LaunchRequest &launch;
  const Verdict &verdict;
  Probes probes;
  int runs = 0;
};
} // namespace

Location locate(const std::shared_ptr<const Kernel> &kernel, const Tier &tier, Form form,
                const LaunchRequest &launch, const Verdict &verdict) {
  try {
    return Search(kernel, tier, form, launch, verdict).run();
  } catch (const Error &error) {
    Location location;
    location.note = error.what();
    return location;
  }
}

} // namespace trisect::jit
