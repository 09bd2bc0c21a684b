//===- Function.cpp - what compiled kernels call --------------------------------------------------------===//
#include "backends/cpu/runtime/Function.h"
#include "core/support/Lasting.h"
#include <map>

namespace trisect::cpu {

const RuntimeList &runtimeFunctions() {
  static const Lasting<RuntimeList> all([] {
    RuntimeList list;
    addIntegers(list);
    addFloats(list);
    addDirected(list);
    addSpecial(list);
    return list;
  }());
  return *all;
}

/// Made when the library is loaded: launches ask in the middle of work that may be left.
static const Lasting<std::vector<LaneFunction>> calls([] {
  std::vector<LaneFunction> list;
  for (const RuntimeFunction &function : runtimeFunctions())
    list.push_back(function.call);
  return list;
}());

const LaneFunction *laneFunctions() { return calls->data(); }

std::optional<size_t> findRuntimeFunction(std::string_view symbol) {
  static const Lasting<std::map<std::string_view, size_t>> numbers([] {
    std::map<std::string_view, size_t> made;
    for (const RuntimeFunction &function : runtimeFunctions())
      made.emplace(function.symbol, made.size());
    return made;
  }());
  auto found = numbers->find(symbol);
  return found == numbers->end() ? std::nullopt : std::optional(found->second);
}

} // namespace trisect::cpu
