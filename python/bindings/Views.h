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

/// Views of one launch, in the memory that the last one left; a launch within it finds none and takes its
/// own.
class ViewList {
public:
  explicit ViewList(std::vector<TensorView> &spare) : spare(spare), all(std::move(spare)) {}
  ~ViewList() { spare = std::move(all); }
  ViewList(const ViewList &) = delete;
  ViewList &operator=(const ViewList &) = delete;

  /// Adds what `fill` makes of a view with this argument and name, if it says so.
  template <class Fill> void add(unsigned argument, const std::string &name, Fill fill) {
    if (all.size() == count)
      all.emplace_back();
    TensorView &view = all[count];
    view.argument = argument;
    if (view.name != name)
      view.name = name;
    count += fill(view);
  }
  std::span<const TensorView> views() const { return {all.data(), count}; }

private:
  std::vector<TensorView> &spare;
  std::vector<TensorView> all;
  size_t count = 0;
};

} // namespace trisect::python

#endif // TRISECT_PYTHON_BINDINGS_VIEWS_H
