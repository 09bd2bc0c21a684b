//===- FuzzTtir.cpp - libFuzzer over parser, verifier, printer and passes -------------------------------===//
#include "tests/fuzz/CheckTtir.h"
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto problem = trisect::fuzz::checkTtir({reinterpret_cast<const char *>(data), size});
  if (problem) {
    std::fprintf(stderr, "%s\n", problem->c_str());
    std::abort();
  }
  return 0;
}
