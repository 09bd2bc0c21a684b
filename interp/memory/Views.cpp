//===- Views.cpp - looking views up ---------------------------------------------------------------------===//
#include "interp/memory/Views.h"
#include <algorithm>
#include <sys/uio.h>
#include <unistd.h>

namespace trisect::interp {

Views::Views(std::span<const TensorView> tensors, bool unwritten) {
  all.reserve(tensors.size());
  for (const TensorView &view : tensors) {
    RegisteredView made{view, Extent(view), {}};
    if (unwritten)
      made.unwritten = unwrittenIn(made.extent.low(), made.extent.high());
    marked |= !made.unwritten.empty();
    all.push_back(std::move(made));
  }
}

int32_t Views::ofArgument(unsigned argument) const {
  for (size_t n = 0; n < all.size(); ++n)
    if (all[n].view.argument == argument)
      return static_cast<int32_t>(n);
  return none;
}

int32_t Views::find(uint64_t address, int64_t bytes, int32_t preferred) const {
  if (preferred != none && all[static_cast<size_t>(preferred)].extent.contains(address, bytes))
    return preferred;
  for (size_t n = 0; n < all.size(); ++n)
    if (all[n].extent.contains(address, bytes))
      return static_cast<int32_t>(n);
  return none;
}

int32_t Views::around(uint64_t address) const {
  for (size_t n = 0; n < all.size(); ++n)
    if (all[n].view.address == address)
      return static_cast<int32_t>(n);
  for (size_t n = 0; n < all.size(); ++n)
    if (address >= all[n].extent.low() && address < all[n].extent.high())
      return static_cast<int32_t>(n);
  return none;
}

bool isMapped(uint64_t address, int64_t bytes) {
  static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  uint64_t last = address + uint64_t(bytes) - 1;
  if (last < address)
    return false;
  for (uint64_t at = address; at <= last; at = (at / page + 1) * page) {
    char byte;
    iovec local{&byte, 1}, remote{reinterpret_cast<void *>(at), 1};
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != 1)
      return false;
    if (at / page == last / page)
      break;
  }
  return true;
}

} // namespace trisect::interp
