//===- Shrink.h - a smaller kernel that fails alike -----------------------------------------------------===//
//
// What: cuts and lowers the choices that a kernel was made of, as long as what it is made of then still
// fails. Why: every list of choices makes a valid kernel, so that what is left needs no second look.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_FUZZ_KERNELS_SHRINK_H
#define TRISECT_TESTS_FUZZ_KERNELS_SHRINK_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace trisect::fuzz {

/// The smallest list found, in that time, for which `fails` is true; it is for `choices`.
std::vector<uint32_t> shrink(std::vector<uint32_t> choices,
                             const std::function<bool(const std::vector<uint32_t> &)> &fails,
                             std::chrono::seconds time);

} // namespace trisect::fuzz

#endif // TRISECT_TESTS_FUZZ_KERNELS_SHRINK_H
