//===- PassTimes.cpp - timing switched on and off -------------------------------------------------------===//
#include "backends/common/PassTimes.h"
#include "core/support/ForkGate.h"
#include "core/support/Options.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <mutex>

namespace trisect {

namespace {
ForkMutex oneAtATime;
}

struct PassTimes::Timing {
  explicit Timing(std::string what) : guard(oneAtATime), what(std::move(what)), stream(text) {
    llvm::TimePassesIsEnabled = true;
    passes.setOutStream(stream);
    passes.registerCallbacks(callbacks);
  }

  ~Timing() {
    passes.print();
    llvm::reportAndResetTimings(&stream);
    llvm::TimePassesIsEnabled = false;
    std::fprintf(stderr, "// -----// %s //----- //\n%s", what.c_str(), text.c_str());
  }

  std::lock_guard<ForkMutex> guard;
  std::string what;
  std::string text;
  llvm::raw_string_ostream stream;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::TimePassesHandler passes{/*Enabled=*/true};
};

PassTimes::PassTimes(std::string what) {
  if (optionFlag(OptionId::LlvmTiming))
    timing = std::make_unique<Timing>(std::move(what));
}

PassTimes::~PassTimes() = default;

llvm::PassInstrumentationCallbacks *PassTimes::callbacks() { return timing ? &timing->callbacks : nullptr; }

} // namespace trisect
