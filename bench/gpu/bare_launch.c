// A loop over cuLaunchKernelEx with 20 parameters: what a launch costs without anything around it. Compiled by
// launch_cost.py on the machine that it is measured on; opens no context of its own.
#include <stdint.h>
#include <time.h>

struct config {
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned count;
};
typedef int (*launch_t)(const struct config *, void *, void **, void **);

/* Nanoseconds a launch; negative: a launch failed. */
double bare(launch_t launch, void *function, void *stream, uint64_t *values, int count, int launches) {
  struct config config = {{1, 1, 1}, {128, 1, 1}, 0, stream, 0, 0};
  void *parameters[32];
  struct timespec begin, end;
  for (int i = 0; i < count; ++i)
    parameters[i] = &values[i];
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < launches; ++i)
    if (launch(&config, function, parameters, 0))
      return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / launches;
}
