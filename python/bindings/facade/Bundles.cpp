//===- Bundles.cpp - over jit/replay --------------------------------------------------------------------===//
#include "python/bindings/facade/Bundles.h"
#include "core/support/Outcome.h"
#include "jit/bundle/Store.h"
#include "jit/replay/Bisect.h"
#include "jit/replay/OldPages.h"
#include "jit/replay/Replay.h"
#include "jit/replay/Shrink.h"

namespace trisect::bundles {

namespace {
template <class Work> Answer answered(Work work) {
  try {
    return work();
  } catch (const jit::AddressesTaken &error) {
    return {false, true, error.what(), ""};
  }
}
} // namespace

Answer replay(const std::string &directory) {
  return answered([&] {
    jit::Replayed result = jit::replay(jit::Bundle::read(directory));
    return Answer{result.reference && result.code, false, result.text, ""};
  });
}

Answer shrink(const std::string &directory, const std::string &into, double seconds) {
  return answered([&] {
    if (std::error_code none; std::filesystem::exists(into, none))
      throw InvalidInput(into + " is there already");
    auto time = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
    jit::Shrunk result = jit::shrink(jit::Bundle::read(directory), time);
    result.bundle.write(into);
    return Answer{true, false,
                  std::to_string(result.operationsBefore) + " operations became " +
                      std::to_string(result.operations) + ", in " + std::to_string(result.attempts) +
                      " attempts\n" + result.bundle.sentence + "\n",
                  into};
  });
}

Answer bisect(const std::string &directory) {
  return answered([&] {
    jit::Bisected result = jit::bisect(jit::Bundle::read(directory));
    return Answer{!result.pass.empty(), false, result.text, result.pass};
  });
}

void onBundle(void (*hook)(const char *directory)) { jit::onBundle(hook); }

} // namespace trisect::bundles
