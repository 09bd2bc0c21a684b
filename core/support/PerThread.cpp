//===- PerThread.cpp - keys of threads, and what to destroy at the end ----------------------------------===//
#include "core/support/PerThread.h"
#include <memory>
#include <new>
#include <utility>

namespace trisect {

/// An object of a thread; the latest is the first of a list.
struct PerThreadSlot::Made {
  PerThreadSlot *slot;
  void *object;
  Made *before;
};

namespace {

pthread_key_t makeKey(void (*atEnd)(void *)) {
  pthread_key_t key = 0;
  if (pthread_key_create(&key, atEnd) != 0)
    throw std::bad_alloc();
  return key;
}

std::atomic<PerThreadSlot *> used{nullptr};
std::atomic<int64_t> list{-1}; ///< the key of what to destroy

/// The key in `place`, and whether this call made it. Not a static of the caller: such are made in a section
/// (ForkGate.cpp), which asks here.
std::pair<pthread_key_t, bool> keyIn(std::atomic<int64_t> &place, void (*atEnd)(void *)) {
  int64_t known = place.load(std::memory_order_acquire);
  if (known >= 0)
    return {static_cast<pthread_key_t>(known), false};
  pthread_key_t fresh = makeKey(atEnd);
  if (place.compare_exchange_strong(known, static_cast<int64_t>(fresh)))
    return {fresh, true};
  pthread_key_delete(fresh);
  return {static_cast<pthread_key_t>(known), false};
}

} // namespace

/// Runs when a thread ends. A destructor may ask for an object that is gone: it is made again, and the system
/// calls this once more.
void PerThreadSlot::destroyAll(void *latest) {
  for (auto *each = static_cast<Made *>(latest); each;) {
    std::unique_ptr<Made> owned(each);
    each = owned->before;
    pthread_setspecific(owned->slot->ownKey(), nullptr);
    owned->slot->destroy(owned->object);
  }
}

pthread_key_t PerThreadSlot::listKey() { return keyIn(list, destroyAll).first; }

pthread_key_t PerThreadSlot::ownKey() {
  auto [own, isNew] = keyIn(key, nullptr);
  if (isNew) {
    next = used.load();
    while (!used.compare_exchange_weak(next, this)) {
    }
  }
  return own;
}

void *PerThreadSlot::add() {
  pthread_key_t own = ownKey(), listed = listKey();
  auto entry =
      std::unique_ptr<Made>(new Made{this, nullptr, static_cast<Made *>(pthread_getspecific(listed))});
  std::unique_ptr<void, Destroy> object(make(), destroy);
  entry->object = object.get();
  // The list last: from then on the object belongs to it.
  if (pthread_setspecific(own, object.get()) != 0)
    throw std::bad_alloc();
  Made *latest = entry.release();
  if (pthread_setspecific(listed, latest) != 0) {
    entry.reset(latest);
    pthread_setspecific(own, nullptr);
    throw std::bad_alloc();
  }
  return object.release();
}

bool PerThreadSlot::makeAll() noexcept {
  try {
    for (PerThreadSlot *each = used.load(); each; each = each->next)
      each->get();
    return true;
  } catch (const std::bad_alloc &) {
    return false;
  }
}

} // namespace trisect
