//===- FakeCuda.h - what a test asks of the stand-in for libcuda ----------------------------------------===//
//
// What: the calls that reached it, and failures on order. Limits: three devices; device memory is the host's.
//
//===----------------------------------------------------------------------------------------------------===//
#ifndef TRISECT_TESTS_UNIT_DRIVER_FAKECUDA_H
#define TRISECT_TESTS_UNIT_DRIVER_FAKECUDA_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fakecuda {

struct Launch {
  int device = 0;
  unsigned grid[3] = {}, block[3] = {};
  unsigned shared = 0;
  void *stream = nullptr;
  bool cooperative = false, dependent = false;
  bool packed = false;                       ///< the parameters came in one buffer
  uint64_t first = 0;                        ///< the value of the first argument
  std::vector<std::vector<char>> parameters; ///< of the sizes that were told
};

struct Log {
  std::vector<std::string> calls; ///< symbols, in order
  std::vector<Launch> launches;
  int absentParameters = 0; ///< places asked for of parameters that are not there
};

} // namespace fakecuda

extern "C" {
/// What happened since the last call of this.
void fakeTake(fakecuda::Log &log);
/// The next call of a symbol answers this status.
void fakeFail(const char *symbol, int status);
/// Streams from now on are captured or not.
void fakeCapture(bool on);
/// The sizes of the parameters of functions that are launched from now on, and what their blocks do.
void fakeKernel(std::vector<int> sizes, std::function<void(const fakecuda::Launch &)> run);
/// What happens inside of calls that retain a context.
void fakeRetain(std::function<void()> run);
/// What functions that are loaded from now on use.
void fakeUsage(int registers, int localBytes, int sharedBytes, int maxThreads);
}

#endif // TRISECT_TESTS_UNIT_DRIVER_FAKECUDA_H
