//===- Alone.cpp - one range after another --------------------------------------------------------------===//
#include "jit/check/Alone.h"
#include "backends/target/PathWatch.h"
#include "core/support/LaunchWatch.h"
#include "core/support/Outcome.h"
#include "core/support/PrintSink.h"
#include "jit/check/Compare.h"
#include "jit/check/Copies.h"
#include "jit/check/Excuse.h"
#include "jit/check/InPlace.h"
#include "jit/reference/PageReader.h"
#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace trisect::jit {

namespace {
constexpr size_t page = interp::Overlay::pageBytes;
/// Pages that a compiled program may ask for, though tier 0 had no reason to touch them.
constexpr int mostProvided = 64;
/// Of what earlier programs read.
constexpr size_t mostKept = size_t(64) << 20;

constexpr const char *unknownOrder =
    "something differs, and what programs that wait for one another may do is not known";

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

std::optional<uint64_t> addressOf(const KernelFault &fault) {
  for (const auto &[name, value] : fault.fault().details)
    if (name == "address" && fault.fault().kind == FaultKind::OutOfBounds)
      return std::stoull(value, nullptr, 16);
  return std::nullopt;
}

class Comparison {
public:
  Comparison(const Kernel &kernel, const InterpExecutable &reference, Candidate candidate,
             const LaunchRequest &request, std::optional<Evidence> *evidence)
      : kernel(kernel), reference(reference), candidate(candidate), request(request),
        copying(candidate.memory.isHost() && !kernel.traits().addressesShow), tensors(request.tensors),
        evidence(evidence) {}

  /// False if nothing more can be learnt.
  bool run(ProgramRange programs) {
    // In place, memory is to be as it is now: other threads may write beside what is put back.
    bool fresh = !copying || !shared.snapshot || shared.snapshot->bytes() > mostKept;
    if (fresh)
      shared = {std::make_shared<PageSnapshot>(candidate.memory), nullptr};
    interp::Overlay overlay = overlayOver(shared.snapshot);
    try {
      if (candidate.together)
        reference.runTogether(request, programs, overlay);
      else
        reference.runAside(request, programs, overlay);
    } catch (const KernelFault &fault) {
      if (fault.fault().kind == FaultKind::Deadlock)
        return leaveOpen("its programs wait for one another");
      return leaveOpen("tier 0 finds a fault: " + firstLine(fault.what()), true);
    } catch (const Unsupported &error) {
      verdict.noReference = true;
      return leaveOpen(std::string("tier 0 cannot run it: ") + error.what());
    }
    PageImages images = imagesOf(overlay);
    if (copying) {
      if (takes(images))
        return runOn(*shared.copies, programs);
      copying = false;
      if (!fresh)
        return run(programs);
    }
    InPlace inPlace(std::move(images), request, candidate.memory);
    return runOn(inPlace, programs);
  }

  Verdict take() {
    verdict.silent = verdict.good() && verdict.bytes == 0;
    if (verdict.silent)
      leaveOpen("the sampled programs wrote nothing", true);
    else if (verdict.kind == VerdictKind::Within && verdict.bytes <= verdict.doubtful)
      leaveOpen("all that differs is in doubt: " + doubt);
    if (evidence && verdict.kind != VerdictKind::Different)
      evidence->reset();
    else if (evidence && *evidence)
      (*evidence)->verdict = verdict;
    return std::move(verdict);
  }

private:
  /// What one range of programs leaves to the next.
  struct Shared {
    std::shared_ptr<PageSnapshot> snapshot;
    std::unique_ptr<Copies> copies; ///< of its pages
  };

  struct SetAside {
    Shared &place, kept;
    explicit SetAside(Shared &place) : place(place), kept(std::exchange(place, {})) {}
    ~SetAside() { place = std::move(kept); }
  };

  /// Whether the pages are copied now.
  bool takes(PageImages &images) {
    if (!shared.copies || !shared.copies->take(images))
      shared.copies = Copies::create(kernel, images, request, !candidate.asIs);
    return shared.copies != nullptr;
  }

  bool runOn(Ground &ground, ProgramRange programs) {
    try {
      bool more = runForms(ground, programs);
      ground.restore();
      return more;
    } catch (...) {
      ground.restore();
      throw;
    }
  }

  bool leaveOpen(std::string reason, bool transient = false) {
    verdict.kind = VerdictKind::Inconclusive;
    verdict.transient = transient;
    verdict.reason = std::move(reason);
    return false;
  }

  /// A launch may take either form of its atomics at any time: both are compared; in place, where others may
  /// be at the memory, the one without locks only if the launch finds itself alone.
  bool runForms(Ground &ground, ProgramRange programs) {
    if (!candidate.executable.hasPlainAtomics())
      return launch(ground, programs) && look(ground, programs);
    if (!launch(ground, programs, ground.isCopy() ? AtomicsForm::Plain : AtomicsForm::Found) ||
        !look(ground, programs))
      return false;
    ground.restore();
    auto counted = std::pair(verdict.programs, verdict.bytes);
    if (!launch(ground, programs, AtomicsForm::Locked) || !look(ground, programs))
      return false;
    std::tie(verdict.programs, verdict.bytes) = counted;
    return true;
  }

  /// Runs the compiled form; memory is restored if it does not come to its end.
  bool launch(Ground &ground, ProgramRange programs, AtomicsForm form = AtomicsForm::Found) {
    PathWatch own({}, {});
    PathWatch *outer = PathWatch::current();
    PathWatch::Scope watched(outer ? outer : &own);
    LaunchRequest alone = ground.request();
    alone.part = programs;
    alone.threads = 1;
    alone.atomics = form;
    MutedPrints muted;
    for (int provided = 0;; ++provided) {
      try {
        candidate.executable.launch(alone);
        gaveWay = (outer ? outer : &own)->someGaveWay();
        ground.collect();
        return true;
      } catch (const KernelFault &fault) {
        ground.restore();
        std::optional<uint64_t> address = addressOf(fault);
        if (address && provided < mostProvided && ground.provide(*address))
          continue;
        if (request.tensors.empty()) {
          verdict.blind = true;
          return leaveOpen("it touches other pages than tier 0, and what tensors there are is not known",
                           true);
        }
        Verdict faulted;
        faulted.reason = "program " + std::to_string(programs.first) +
                         " faults where tier 0 does not: " + firstLine(fault.what());
        keep(ground, programs, /*faulted=*/true);
        return differ(ground, programs, faulted);
      } catch (const Unsupported &error) {
        ground.restore();
        return leaveOpen(error.what());
      }
    }
  }

  void compareAll(const Ground &ground, const Legality *legality, Verdict &into) const {
    for (const PageImage &image : ground.pages()) {
      if (!image.clean)
        into.bytes += std::count_if(image.written, image.written + page, [](uint8_t mark) { return mark; });
      if (std::memcmp(image.expected, image.found, page) == 0)
        continue;
      compare({image.address, {image.expected, page}, {image.written, page}, {image.found, page}}, tensors,
              legality, into);
    }
  }

  bool agree(VerdictKind kind, const Verdict &found, ProgramRange programs) {
    if (verdict.kind != VerdictKind::Within)
      verdict.kind = kind;
    verdict.programs += programs.count;
    verdict.bytes += found.bytes;
    verdict.within += found.within;
    verdict.doubtful += found.doubtful;
    verdict.worst = std::max(verdict.worst, found.worst);
    if (found.largestUlp)
      verdict.largestUlp = std::max(verdict.largestUlp.value_or(0), *found.largestUlp);
    return true;
  }

  bool look(Ground &ground, ProgramRange programs) {
    Verdict plain;
    compareAll(ground, nullptr, plain);
    return plain.first ? judge(ground, programs, plain) : agree(VerdictKind::Equal, plain, programs);
  }

  /// Something differs: may it?
  bool judge(Ground &ground, ProgramRange programs, const Verdict &plain) {
    if (programs.count > 1 && !candidate.together)
      return judgeEach(ground, programs, plain);
    keep(ground, programs, /*faulted=*/false);
    ground.putBack(); // tier 0 reads what the launch is to read
    std::optional<Legality> made = legalityOf(programs);
    if (!made)
      return leaveOpen(unknownOrder);
    const Legality &legality = *made;
    Verdict bounded;
    compareAll(ground, &legality, bounded);
    if (bounded.first && candidate.together && !nobodyWaits(ground, programs))
      return leaveOpen(unknownOrder);
    if (bounded.first)
      return differ(ground, programs, bounded);
    if (!legality.lost().empty())
      return leaveOpen("all that differs is in doubt: " + legality.lost());
    if (bounded.doubtful)
      doubt = legality.doubted();
    bool onlyNans = !bounded.within && !bounded.doubtful;
    return agree(onlyNans ? VerdictKind::Equal : VerdictKind::Within, bounded, programs);
  }

  /// Whether tier 0 leaves the same where each program comes to its end before the next begins: so they did
  /// on the host then, in both tiers, and no other order is to be thought of.
  bool nobodyWaits(const Ground &ground, ProgramRange programs) const {
    if (!candidate.memory.isHost() || gaveWay)
      return false;
    interp::Overlay apart = overlayOver(candidate.memory);
    try {
      reference.runAside(request, programs, apart);
    } catch (const KernelFault &) {
      return false;
    }
    PageImage::Bytes bytes;
    return std::ranges::all_of(ground.pages(), [&](const PageImage &image) {
      apart.read({}, image.address, bytes.data(), page);
      for (size_t n = 0; n < page; ++n)
        if (image.written[n] && bytes[n] != image.expected[n])
          return false;
      return true;
    });
  }

  /// Bounds of programs that wait for one another are those of one order, in which each can come to its end
  /// before the next begins; null if it cannot.
  std::optional<Legality> legalityOf(ProgramRange programs) const {
    try {
      return Legality(reference, request, programs, candidate.memory, candidate.executable.numerics());
    } catch (const KernelFault &) {
      if (!candidate.together)
        throw;
      return std::nullopt;
    }
  }

  /// Bounds speak for one program. If each alone is equal, then something went from one to the next.
  bool judgeEach(Ground &ground, ProgramRange programs, const Verdict &plain) {
    keep(ground, programs, /*faulted=*/false);
    std::optional<Evidence> together = evidence ? *evidence : std::nullopt;
    ground.restore();
    SetAside ofAll(shared); // the ground is still needed
    for (int64_t id = programs.first; id < programs.first + programs.count; ++id)
      if (!run({id, 1}))
        return false;
    if (evidence)
      *evidence = std::move(together);
    return verdict.kind == VerdictKind::Within || differ(ground, programs, plain);
  }

  void keep(const Ground &ground, ProgramRange programs, bool faulted) const {
    if (evidence)
      evidence->emplace(kernel, request, programs, ground, faulted);
  }

  bool differ(Ground &ground, ProgramRange programs, const Verdict &found) {
    verdict.kind = VerdictKind::Different;
    verdict.programs += programs.count;
    verdict.bytes += found.bytes;
    verdict.differing = found.differing;
    verdict.strays = found.strays;
    verdict.reason = found.reason;
    verdict.first = found.first;
    if (verdict.first)
      verdict.first->program = programs.first;
    if (std::string reason = excuseFor(kernel, reference, programs, ground, candidate.memory,
                                       candidate.together && candidate.memory.isHost());
        !reason.empty())
      leaveOpen(std::move(reason));
    return false;
  }

  const Kernel &kernel;
  const InterpExecutable &reference;
  Candidate candidate;
  const LaunchRequest &request;
  bool copying; ///< programs run on copies; else in place
  Shared shared;
  Tensors tensors;
  Verdict verdict;
  bool gaveWay = false; ///< a program of the compiled form, to another one before its end
  std::string doubt;    ///< the last place where an element came into doubt
  std::optional<Evidence> *evidence;
};
} // namespace

Verdict compareAlone(const Kernel &kernel, const InterpExecutable &reference, Candidate candidate,
                     const LaunchRequest &request, const std::vector<ProgramRange> &sample,
                     std::chrono::nanoseconds time, std::optional<Evidence> *evidence) {
  auto end = std::chrono::steady_clock::now() + time;
  Comparison comparison(kernel, reference, candidate, request, evidence);
  for (ProgramRange programs : sample)
    if (!comparison.run(programs) || std::chrono::steady_clock::now() > end)
      break;
  return comparison.take();
}

} // namespace trisect::jit
