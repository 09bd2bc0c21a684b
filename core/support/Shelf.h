//===- Shelf.h - where the files of one kernel are kept between processes -------------------------------===//
//
// What: named contents that other processes see and change meanwhile. Why: what is kept of a kernel lies in a
// folder, or wherever a cache manager of the host's language puts it. Limits: what is kept may be gone, cut
// short or somebody else's at the next look; whoever reads checks it. Nothing here throws.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_CORE_SUPPORT_SHELF_H
#define TRISECT_CORE_SUPPORT_SHELF_H

#include <optional>
#include <string>

namespace trisect {

class Shelf {
public:
  virtual ~Shelf() = default;
  /// The content, if there is one that may be trusted to be this user's.
  virtual std::optional<std::string> get(const std::string &name) = 0;
  /// Keeps a content as a whole, or not at all. Without `replace` one that is there stays; false then.
  virtual bool put(const std::string &name, const std::string &content, bool replace) = 0;
  /// Adds to the end of what is there, between what others add; nothing if there is nothing.
  virtual void append(const std::string &name, const std::string &more) = 0;
};

} // namespace trisect

#endif // TRISECT_CORE_SUPPORT_SHELF_H
