// A GPU that is not there: a libcuda whose launch answers at once, or after it has read some memory, and which says
// where the 20 parameters of launch_kernels.py lie, and the two functions of torch's table (DLPack's exchange) that a
// launch may call, for which tensors of the host lie on that GPU. All else is what this library is linked to: the
// driver of tests/unit/driver.
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum { line = 64, most = 1 << 20 };
static char memory[most];

/* One byte of each line. */
void read_memory(size_t bytes) {
  for (size_t at = 0; at < bytes; at += line)
    ((volatile char *)memory)[at];
}

/* As much code as the first cache holds twice: from line to line. */
static void run_code(void) {
  __asm__ volatile(".balign 64\n.rept 1024\njmp 1f\n.balign 64\n1:\n.endr");
}

size_t launch_reads = 0;

int cuLaunchKernelEx(const void *config, void *function, void **parameters, void **extra) {
  (void)config, (void)function, (void)parameters, (void)extra;
  if (launch_reads) {
    read_memory(launch_reads);
    run_code();
  }
  return 0;
}

/* Nanoseconds of a launch by itself. */
double bare(int launches) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < launches; ++i)
    cuLaunchKernelEx(NULL, NULL, NULL, NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  return ((end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec)) / launches;
}

/* Ten addresses, ten numbers of 32 bits, and what the compiler adds (docs/gpu.md). */
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes) {
  (void)function;
  *offset = index < 10 ? 8 * index : index < 20 ? 80 + 4 * (index - 10) : 120;
  *bytes = index < 10 ? 8 : index < 20 ? 4 : 40;
  return index > 20; /* CUDA_ERROR_INVALID_VALUE */
}

struct description {
  void *data;
  int32_t device, index; /* and more that is left as it is */
};
int (*describe_on_host)(void *tensor, struct description *found);

int describe(void *tensor, struct description *found) {
  int failed = describe_on_host(tensor, found);
  found->device = 2; /* kDLCUDA */
  return failed;
}

int current_stream(int32_t device, int32_t index, void **stream) {
  (void)device, (void)index;
  *stream = NULL;
  return 0;
}
