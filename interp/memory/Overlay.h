//===- Overlay.h - writes that leave the real memory alone ----------------------------------------------===//
//
// What: a side table of pages: writes go there, reads see them first and the real memory otherwise. Lists
// what was written, byte by byte. Why: the cross-check runs programs of a kernel before the real launch and
// compares every byte that they wrote. Limits: not for use by several threads at once. Real memory is read in
// place unless a reader is given (memory of a device), which is then asked page by page.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_OVERLAY_H
#define TRISECT_INTERP_MEMORY_OVERLAY_H

#include "interp/memory/Memory.h"
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>

namespace trisect::interp {

class Overlay final : public MemoryPolicy {
public:
  static constexpr int64_t pageBytes = 4096;
  /// Fills `into` with `bytes` of real memory from `address`.
  using Reader = std::function<void(uint64_t address, void *into, int64_t bytes)>;
  /// Whether real memory is there. Where it is given, an access without any throws WildAccess.
  using Mapped = std::function<bool(uint64_t address, int64_t bytes)>;
  /// One piece of a page that was touched: mask[i] is nonzero where bytes[i] was written.
  using Visitor =
      std::function<void(uint64_t address, std::span<const uint8_t> bytes, std::span<const uint8_t> mask)>;

  /// Without a reader real memory is the host's.
  explicit Overlay(Reader reader = {}, Mapped mapped = {});
  ~Overlay() override;

  void read(const AccessSite &site, uint64_t address, void *into, int64_t bytes) override;
  void write(const AccessSite &site, uint64_t address, const void *from, int64_t bytes) override;
  bool maps(uint64_t address, int64_t bytes) override;

  /// Calls `visit` for every page with written bytes, in ascending order of addresses.
  void forEachWrite(const Visitor &visit) const;
  /// As forEachWrite(), and pages that were only read; all of them are known where there is a reader.
  void forEachPage(const Visitor &visit) const;
  /// Number of bytes written at least once.
  int64_t bytesWritten() const;
  void clear();

private:
  struct Page;
  Page &page(uint64_t number);
  Page *find(uint64_t number);
  void require(uint64_t address, int64_t bytes, bool writes) const;
  void visitPages(const Visitor &visit, bool unwritten) const;

  Reader reader;
  Mapped mapped;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;
  uint64_t lastNumber = ~uint64_t(0);
  Page *last = nullptr;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_OVERLAY_H
