//===- CheckTtir.h - what must hold for any text whatever -----------------------------------------------===//
//
// What: text is either refused as InvalidInput, or it prints to a text that reads back to the same text, and
// the passes keep it valid. checkTtir() says what does not hold. Why: the fuzz target and the replay of past
// inputs ask the same. Limits: text only, at most 64 KiB; a crash, a hang or a leak is for the sanitizers to
// see.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_CHECKTTIR_H
#define TRISECT_TESTS_FUZZ_CHECKTTIR_H

#include <optional>
#include <string>
#include <string_view>

namespace trisect::fuzz {

/// What does not hold for `text`; nothing if all is well.
std::optional<std::string> checkTtir(std::string_view text);

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_CHECKTTIR_H
