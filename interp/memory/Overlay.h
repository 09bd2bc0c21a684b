//===- Overlay.h - writes that leave the real memory alone ----------------------------------------------===//
//
// What: a side table of pages: writes go there, reads see them first and the real memory otherwise. Lists
// what was written, byte by byte. Why: the cross-check runs programs of a kernel before the real launch and
// compares every byte that they wrote. Limits: not for use by several threads at once. Real memory is read in
// place unless a reader is given (memory of a device, memory that may change), which is then asked for pages.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_OVERLAY_H
#define TRISECT_INTERP_MEMORY_OVERLAY_H

#include "interp/memory/Memory.h"
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace trisect::interp {

class Overlay final : public MemoryPolicy {
public:
  static constexpr int64_t pageBytes = 4096;
  /// The page of real memory that begins at an address. It stays where and as it is while the overlay lives.
  using Reader = std::function<const uint8_t *(uint64_t address)>;
  /// Whether real memory is there. Where it is given, an access without any throws WildAccess.
  using Mapped = std::function<bool(uint64_t address, int64_t bytes)>;
  /// A page that was written: mask[i] is nonzero where bytes[i] was.
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
  struct Touched {
    uint64_t address;
    const uint8_t *before;  ///< the reader's; null without one
    const uint8_t *now;     ///< `before` itself where nothing was written
    const uint8_t *written; ///< nonzero where something was; null: nowhere
  };
  /// As forEachWrite(), and pages that were only read; all of them are known where there is a reader.
  void forEachPage(const std::function<void(const Touched &)> &visit) const;
  /// Number of bytes written at least once.
  int64_t bytesWritten() const;
  void clear();

private:
  struct Own {
    uint8_t data[pageBytes];
    uint8_t written[pageBytes] = {};
  };
  struct Page {
    const uint8_t *real = nullptr; ///< the reader's
    std::unique_ptr<Own> own;      ///< once it is written; holds the real bytes too if `real` is known
    Own &write();
  };
  Page &page(uint64_t number);
  Page *find(uint64_t number);
  void require(uint64_t address, int64_t bytes, bool writes) const;
  std::vector<std::pair<uint64_t, const Page *>> sorted() const;

  Reader reader;
  Mapped mapped;
  std::unordered_map<uint64_t, Page> pages;
  uint64_t lastNumber = ~uint64_t(0);
  Page *last = nullptr;
};

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_OVERLAY_H
