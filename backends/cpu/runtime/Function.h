//===- Function.h - what compiled kernels call ----------------------------------------------------------===//
//
// What: functions on the lanes of a chunk, found by the symbol of a tt.extern_elementwise and its types; in
// compiled code by their number. Why: these are rare and long; a call keeps kernels short, and a number binds
// code to no address of this process. Limits: numbers belong to one build.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_BACKENDS_CPU_RUNTIME_FUNCTION_H
#define TRISECT_BACKENDS_CPU_RUNTIME_FUNCTION_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace trisect::cpu {

/// Reads up to four arrays of `lanes` elements, writes one.
using LaneFunction = void (*)(void *result, const void *a, const void *b, const void *c, const void *d,
                              int64_t lanes);

struct RuntimeFunction {
  const char *symbol;
  unsigned operands;
  LaneFunction call;
};
using RuntimeList = std::vector<RuntimeFunction>;

/// All of them, in one order; compiled code indexes `laneFunctions()`.
const RuntimeList &runtimeFunctions();
const LaneFunction *laneFunctions();
std::optional<size_t> findRuntimeFunction(std::string_view symbol);

// One family each.
void addIntegers(RuntimeList &list);
void addFloats(RuntimeList &list);
void addDirected(RuntimeList &list);
void addSpecial(RuntimeList &list);

/// `F` for every lane; F takes and gives plain C++ types.
template <auto F, class R, class... A, size_t... I>
void callLanes(void *result, const void *const *operands, int64_t lanes, std::index_sequence<I...>) {
  for (int64_t lane = 0; lane < lanes; ++lane)
    static_cast<R *>(result)[lane] = F(static_cast<const A *>(operands[I])[lane]...);
}
template <auto F, class R, class... A>
void onLanes(void *result, const void *a, const void *b, const void *c, const void *d, int64_t lanes) {
  const void *operands[] = {a, b, c, d};
  callLanes<F, R, A...>(result, operands, lanes, std::index_sequence_for<A...>());
}
template <auto F, class R, class... A> void add(RuntimeList &list, const char *symbol) {
  list.push_back({symbol, sizeof...(A), onLanes<F, R, A...>});
}

} // namespace trisect::cpu

#endif // TRISECT_BACKENDS_CPU_RUNTIME_FUNCTION_H
