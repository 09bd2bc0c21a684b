//===- Recording.cpp - the launches recorded so far -----------------------------------------------------===//
#include "jit/launch/Recording.h"
#include "core/support/ForkGate.h"
#include "core/support/Lasting.h"
#include <atomic>
#include <mutex>
#include <utility>

namespace trisect::jit::recording {

namespace {
std::atomic<bool> on{false};
ForkMutex lock;
Lasting<std::vector<LaunchRecord>> records;
} // namespace

void start() {
  std::lock_guard guard(lock);
  records->clear();
  on = true;
}

std::vector<LaunchRecord> stop() {
  std::lock_guard guard(lock);
  on = false;
  return std::exchange(*records, {});
}

bool active() { return on.load(std::memory_order_relaxed); }

void add(LaunchRecord record) {
  std::lock_guard guard(lock);
  records->push_back(std::move(record));
}

} // namespace trisect::jit::recording
