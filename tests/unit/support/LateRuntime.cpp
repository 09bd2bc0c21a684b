//===- LateRuntime.cpp - an OpenMP runtime whose second thread is long in coming ------------------------===//
#include <chrono>
#include <sys/resource.h>
#include <thread>

extern "C" {

/// How often the caller slept in the body of the last region.
__attribute__((visibility("default"))) long sleepsOfCaller = 0;

__attribute__((visibility("default"))) int omp_get_max_threads() { return 2; }
__attribute__((visibility("default"))) int omp_get_num_threads() { return 2; }

__attribute__((visibility("default"))) void GOMP_parallel(void (*body)(void *), void *data, unsigned,
                                                          unsigned) {
  auto waits = [] {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    return used.ru_nvcsw;
  };
  std::thread late([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    body(data);
  });
  long before = waits();
  body(data);
  sleepsOfCaller = waits() - before;
  late.join();
}
}
