//===- Views.h - the tensors of a launch ----------------------------------------------------------------===//
//
// What: address, type, shape and strides behind arguments, for the comparison with tier 0, guards and
// reports. Why: a launch that wants them should not allocate each of them anew. Limits: the caller holds the
// GIL; views that were given out end with their list.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_PYTHON_BINDINGS_VIEWS_H
#define TRISECT_PYTHON_BINDINGS_VIEWS_H

#include "python/bindings/Arguments.h"
#include <span>

namespace trisect::python {

/// Fills the view behind a pointer argument but for its argument and name; false for a plain address.
bool readView(TensorView &view, PyObject *argument);

/// Views that were made for an earlier launch, for as long as a launch uses them; one within it finds none.
class LentViews {
public:
  explicit LentViews(std::vector<TensorView> &home) : home(home), lent(std::move(home)) { home.clear(); }
  ~LentViews() { home = std::move(lent); }
  LentViews(const LentViews &) = delete;
  LentViews &operator=(const LentViews &) = delete;

  std::vector<TensorView> &operator*() { return lent; }
  std::vector<TensorView> *operator->() { return &lent; }
  const std::vector<TensorView> *operator->() const { return &lent; }

private:
  std::vector<TensorView> &home;
  std::vector<TensorView> lent;
};

/// Views of one launch, in the memory that the last one left; a launch within it finds none and takes its
/// own.
class ViewList {
public:
  explicit ViewList(std::vector<TensorView> &spare) : all(spare) {}

  /// Adds what `fill` makes of a view with this argument and name, if it says so.
  template <class Fill> void add(unsigned argument, const std::string &name, Fill fill) {
    if (all->size() == count)
      all->emplace_back();
    TensorView &view = (*all)[count];
    view.argument = argument;
    if (view.name != name)
      view.name = name;
    count += fill(view);
  }
  std::span<const TensorView> views() const { return {all->data(), count}; }

private:
  LentViews all;
  size_t count = 0;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_VIEWS_H
