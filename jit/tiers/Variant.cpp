//===- Variant.cpp - compiling once ---------------------------------------------------------------------===//
#include "jit/tiers/Variant.h"
#include "core/support/AddressSpace.h"
#include "core/support/Outcome.h"
#include "jit/bundle/Store.h"
#include "jit/tiers/CompileQueue.h"
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>

namespace trisect::jit {

Variant::Variant(std::shared_ptr<const Kernel> kernel, std::shared_ptr<const FormCache> cache, Tier tier,
                 Form form)
    : trust(kernel->parameters()), kernel(std::move(kernel)), cache(std::move(cache)), tier(tier),
      which(form), name(tier.target->name()) {}

const Variant::Code *Variant::poll() {
  if (const Code *there = ready.load(std::memory_order_acquire))
    return there;
  if (cache && !lookedUp.exchange(true)) {
    std::lock_guard alone(compiling);
    if (!ready.load(std::memory_order_acquire))
      adopt();
  }
  std::lock_guard guard(lock);
  if (state == State::Cold) {
    state = State::Queued;
    // A kernel that nobody has any more is not compiled.
    compileInBackground([weak = weak_from_this()] {
      if (std::shared_ptr<Variant> self = weak.lock())
        self->compile();
    });
  } else if (state == State::Queued) {
    resumeCompiles();
  }
  return code.get();
}

const Variant::Code &Variant::require() {
  if (const Code *there = ready.load(std::memory_order_acquire))
    return *there;
  lookedUp = true; // compile() looks
  compile();
  std::lock_guard guard(lock);
  if (failure)
    std::rethrow_exception(failure);
  return *code;
}

void Variant::compile() {
  std::lock_guard alone(compiling);
  {
    std::lock_guard guard(lock);
    if (state == State::Ready || state == State::Failed)
      return;
  }
  if (adopt())
    return;
  auto started = std::chrono::steady_clock::now();
  std::string stays = kernel->name() + " stays in tier 0: ";
  try {
    std::unique_ptr<const Code> made = make();
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    log.add({Event::Kind::Compiled, name,
             "compiled " + kernel->name() + " for " + name +
                 (which == Form::Any ? ", for arguments that may overlap" : ""),
             std::nullopt, took.count()});
    keep(*made->artifact);
    install(std::move(made));
  } catch (const Unsupported &error) {
    fail(std::current_exception(), stays + error.what());
  } catch (const InvalidInput &error) {
    fail(std::current_exception(), stays + error.what());
  } catch (const std::exception &error) {
    std::string text = stays + "the compiler failed: " + error.what();
    text += keepFailure(text);
    std::fprintf(stderr, "trisect: %s\n", text.c_str());
    fail(std::make_exception_ptr(EngineError(error.what())), text);
  }
}

bool Variant::adopt() {
  if (!cache)
    return false;
  try {
    auto started = std::chrono::steady_clock::now();
    std::optional<StoredForm> kept = cache->find(*tier.target, which);
    if (!kept)
      return false;
    requireAddressSpace(spaceToRead, "to load a kernel");
    auto made = std::make_unique<Code>();
    made->artifact = std::make_shared<const Artifact>(std::move(kept->artifact));
    made->executable = tier.device->load(made->artifact);
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    log.add({Event::Kind::Loaded, name, "loaded " + kernel->name() + " for " + name + " from the cache",
             std::nullopt, took.count()});
    recall(kept->records);
    install(std::move(made));
    return true;
  } catch (const std::exception &) { // is compiled anew
    return false;
  }
}

void Variant::recall(std::span<const TrustRecord> records) {
  trust.recall(records);
  auto wrong = std::ranges::find_if(records, &TrustRecord::withdrawn);
  if (wrong == records.end())
    return;
  std::string text = kernel->name() + " stays in tier 0: another process withdrew its code for " + name +
                     ": " + wrong->verdict + "; `trisect cache rm " + kernel->name() + "` forgets that";
  std::fprintf(stderr, "trisect: %s\n", text.c_str());
  log.add({Event::Kind::Kept, name, text, std::nullopt, 0});
}

void Variant::install(std::unique_ptr<const Code> made) {
  std::lock_guard guard(lock);
  code = std::move(made);
  ready.store(code.get(), std::memory_order_release);
  state = State::Ready;
}

void Variant::keep(const Artifact &artifact) {
  if (cache)
    recall(cache->keep(*tier.target, which, kernel->facts(), artifact));
}

void Variant::remember(const std::string &verdict) {
  const Code *there = ready.load(std::memory_order_acquire);
  std::optional<TrustRecord> news = cache && there ? trust.news() : std::nullopt;
  if (!news)
    return;
  news->object = objectName(*there->artifact);
  news->verdict = verdict;
  cache->add(*tier.target, which, *news);
}

std::string Variant::keepFailure(const std::string &sentence) const {
  if (!keepsBundles())
    return "";
  Bundle bundle;
  bundle.kernel = kernel->name();
  bundle.tier = name;
  bundle.form = which;
  bundle.options = kernel->options();
  // Bytes that the code holds, and what the bundle says itself.
  bundle.options.erase("artifact");
  bundle.options.erase("tier");
  bundle.versions = currentVersions();
  bundle.ttir = kernel->text();
  bundle.sentence = sentence;
  return keepBundle(bundle);
}

std::unique_ptr<const Variant::Code> Variant::make() {
  auto made = std::make_unique<Code>();
  made->artifact = compileFor(tier, *kernel, which);
  made->executable = tier.device->load(made->artifact);
  return made;
}

void Variant::fail(std::exception_ptr why, const std::string &text) {
  log.add({Event::Kind::Kept, name, text, std::nullopt, 0});
  std::lock_guard guard(lock);
  failure = std::move(why);
  state = State::Failed;
}

} // namespace trisect::jit
