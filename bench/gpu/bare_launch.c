// A loop over the driver's launch with 20 parameters: what a launch costs without anything around it, by three
// ways of the driver. Compiled by launch_cost.py on the machine that it is measured on; opens no context of its own.
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct config {
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned count;
};
typedef int (*launch_ex_t)(const struct config *, void *, void **, void **);
typedef int (*launch_t)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                        void **);

enum way { WITH_CONFIG, PLAIN, ONE_BUFFER };

/* Nanoseconds a launch; negative: a launch failed. `launch` is cuLaunchKernel for PLAIN, else cuLaunchKernelEx. */
double bare(enum way way, void *launch, void *function, void *stream, uint64_t *values, int count, int launches) {
  struct config config = {{1, 1, 1}, {128, 1, 1}, 0, stream, 0, 0};
  void *parameters[32];
  uint64_t packed[32] = {values[0], values[1] | values[2] << 32}; /* the second and third have 32 bits */
  size_t bytes = (count - 1) * sizeof(uint64_t);
  void *buffer[] = {(void *)1, packed, (void *)2, &bytes, NULL}; /* CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END */
  struct timespec begin, end;
  for (int i = 0; i < count; ++i)
    parameters[i] = &values[i];
  for (int i = 3; i < count; ++i)
    packed[i - 1] = values[i];
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < launches; ++i) {
    int failed = way == PLAIN        ? ((launch_t)launch)(function, 1, 1, 1, 128, 1, 1, 0, stream, parameters, NULL)
                 : way == ONE_BUFFER ? ((launch_ex_t)launch)(&config, function, NULL, buffer)
                                     : ((launch_ex_t)launch)(&config, function, parameters, NULL);
    if (failed)
      return -1;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / launches;
}
