//===- Shrink.cpp - cut, zero, lower --------------------------------------------------------------------===//
#include "tests/fuzz/kernels/Shrink.h"
#include <algorithm>

namespace trisect::fuzz {

namespace {
using List = std::vector<uint32_t>;

class Shrinker {
public:
  Shrinker(List choices, const std::function<bool(const List &)> &fails, std::chrono::seconds time)
      : best(std::move(choices)), fails(fails), end(std::chrono::steady_clock::now() + time) {}

  List run() {
    for (bool better = true; better && !late();) {
      better = false;
      for (size_t width : {64, 16, 8, 4, 3, 2, 1})
        better |= cut(width);
      for (size_t width : {8, 2, 1})
        better |= zero(width);
      better |= lower();
    }
    return best;
  }

private:
  bool late() const { return std::chrono::steady_clock::now() > end; }

  bool attempt(List smaller) {
    while (!smaller.empty() && smaller.back() == 0) // zeros follow anyway
      smaller.pop_back();
    if (late() || smaller == best || !fails(smaller))
      return false;
    best = std::move(smaller);
    return true;
  }

  bool cut(size_t width) {
    bool better = false;
    for (size_t at = best.size(); at-- > 0;) {
      if (at + width > best.size())
        continue;
      List smaller = best;
      smaller.erase(smaller.begin() + static_cast<ptrdiff_t>(at),
                    smaller.begin() + static_cast<ptrdiff_t>(at + width));
      better |= attempt(std::move(smaller));
    }
    return better;
  }

  bool zero(size_t width) {
    bool better = false;
    for (size_t at = 0; at + width <= best.size(); ++at) {
      auto first = best.begin() + static_cast<ptrdiff_t>(at), last = first + static_cast<ptrdiff_t>(width);
      if (std::all_of(first, last, [](uint32_t choice) { return choice == 0; }))
        continue;
      List smaller = best;
      std::fill_n(smaller.begin() + static_cast<ptrdiff_t>(at), width, 0);
      better |= attempt(std::move(smaller));
    }
    return better;
  }

  bool lower() {
    bool better = false;
    for (size_t at = 0; at < best.size(); ++at)
      for (uint32_t less : {best[at] / 2, best[at] - 1}) {
        if (at >= best.size() || best[at] == 0 || less >= best[at])
          continue;
        List smaller = best;
        smaller[at] = less;
        better |= attempt(std::move(smaller));
      }
    return better;
  }

  List best;
  const std::function<bool(const List &)> &fails;
  std::chrono::steady_clock::time_point end;
};
} // namespace

List shrink(List choices, const std::function<bool(const List &)> &fails, std::chrono::seconds time) {
  return Shrinker(std::move(choices), fails, time).run();
}

} // namespace trisect::fuzz
