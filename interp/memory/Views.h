//===- Views.h - the tensors that a launch was given ----------------------------------------------------===//
//
// What: the registered views with their reachable bytes and marks of unwritten memory; which one an address
// belongs to, by argument or by look-up. Why: bounds, initialisation and reports all ask the same. Limits:
// immutable during a launch; memory that no view covers is known only as mapped or not.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_INTERP_MEMORY_VIEWS_H
#define TRISECT_INTERP_MEMORY_VIEWS_H

#include "interp/memory/Extent.h"
#include "interp/memory/Unwritten.h"
#include <memory>
#include <span>
#include <vector>

namespace trisect::interp {

struct RegisteredView {
  TensorView view;
  Extent extent;
  std::vector<std::shared_ptr<Unwritten>> unwritten;
};

class Views {
public:
  static constexpr int32_t none = -1;

  Views(std::span<const TensorView> tensors, bool unwritten);

  size_t size() const { return all.size(); }
  const RegisteredView &operator[](int32_t id) const { return all[static_cast<size_t>(id)]; }
  /// The view of a pointer argument, or none.
  int32_t ofArgument(unsigned argument) const;
  /// A view that holds all the bytes, `preferred` before others; or none.
  int32_t find(uint64_t address, int64_t bytes, int32_t preferred = none) const;
  /// The view of a pointer that comes from nowhere known, such as one in memory: the one that begins at the
  /// address, else one around it.
  int32_t around(uint64_t address) const;
  bool hasUnwritten() const { return marked; }

private:
  std::vector<RegisteredView> all;
  bool marked = false;
};

/// Whether the bytes can be read by this process.
bool isMapped(uint64_t address, int64_t bytes);

} // namespace trisect::interp

#endif // TRISECT_INTERP_MEMORY_VIEWS_H
