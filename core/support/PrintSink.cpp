//===- PrintSink.cpp - where the output of kernels goes -------------------------------------------------===//
#include "core/support/PrintSink.h"
#include <atomic>
#include <cstdio>
#include <utility>

namespace trisect {

namespace {
std::atomic<PrintSink> present{nullptr};
constinit thread_local int muted = 0;
} // namespace

void setPrintSink(PrintSink sink) { present = sink; }

void printToSink(std::string_view text) {
  if (PrintSink sink = present.load())
    sink(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
}

MutedPrints::MutedPrints() { ++muted; }
MutedPrints::~MutedPrints() { --muted; }
bool MutedPrints::active() { return muted > 0; }

HeardPrints::HeardPrints() : before(std::exchange(muted, 0)) {}
HeardPrints::~HeardPrints() { muted = before; }

} // namespace trisect
