// What this processor can do at most: multiply-adds a second, bytes a second (bench/cpu.py loads it).
//
// Each function works on the calling thread; the caller times it. Sums go to independent registers, twelve of
// them, so that neither latency nor the number of registers limits the rate.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define SUMS 12
#define EACH(body)                                                                                           \
  for (int i = 0; i < SUMS; ++i) {                                                                           \
    body;                                                                                                    \
  }

volatile float sink;

/// Multiply-adds of f32: gives how many were done.
double peak_fma(int64_t rounds) {
#ifdef __AVX512F__
  __m512 s[SUMS], x = _mm512_set1_ps(0.5f);
  EACH(s[i] = _mm512_set1_ps((float)i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm512_fmadd_ps(s[i], x, x))
    __asm__ volatile("" : "+v"(x));
  }
  EACH(sink = _mm512_reduce_add_ps(s[i]))
  return (double)rounds * SUMS * 16;
#else
  __m256 s[SUMS], x = _mm256_set1_ps(0.5f);
  EACH(s[i] = _mm256_set1_ps((float)i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm256_fmadd_ps(s[i], x, x))
    __asm__ volatile("" : "+x"(x));
  }
  EACH(sink = _mm256_cvtss_f32(s[i]))
  return (double)rounds * SUMS * 8;
#endif
}

/// The same with 32-byte registers.
double peak_avx2(int64_t rounds) {
  __m256 s[SUMS], x = _mm256_set1_ps(0.5f);
  EACH(s[i] = _mm256_set1_ps((float)i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm256_fmadd_ps(s[i], x, x))
    __asm__ volatile("" : "+x"(x));
  }
  EACH(sink = _mm256_cvtss_f32(s[i]))
  return (double)rounds * SUMS * 8;
}

/// The same of f64.
double peak_fma64(int64_t rounds) {
#ifdef __AVX512F__
  __m512d s[SUMS], x = _mm512_set1_pd(0.5);
  EACH(s[i] = _mm512_set1_pd(i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm512_fmadd_pd(s[i], x, x))
    __asm__ volatile("" : "+v"(x));
  }
  EACH(sink = (float)_mm512_reduce_add_pd(s[i]))
  return (double)rounds * SUMS * 8;
#else
  __m256d s[SUMS], x = _mm256_set1_pd(0.5);
  EACH(s[i] = _mm256_set1_pd(i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm256_fmadd_pd(s[i], x, x))
    __asm__ volatile("" : "+x"(x));
  }
  EACH(sink = (float)_mm256_cvtsd_f64(s[i]))
  return (double)rounds * SUMS * 4;
#endif
}

/// Multiply-adds of bf16 in tile registers; 0 where the processor, or this process, has none.
double peak_tiles(int64_t rounds) {
#if defined(__AMX_BF16__) && defined(__linux__)
  const long permission = 0x1023, tile_data = 18; // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILE_DATA
  if (syscall(SYS_arch_prctl, permission, tile_data) != 0)
    return 0;
  struct {
    uint8_t palette, start, none[14];
    uint16_t bytes[16];
    uint8_t rows[16];
  } shapes = {.palette = 1};
  for (int i = 0; i < 8; ++i) {
    shapes.bytes[i] = 64;
    shapes.rows[i] = 16;
  }
  const int64_t turns = rounds / 16 + 1; // each does as much as sixteen of vectors and more
  _tile_loadconfig(&shapes);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
  for (int64_t r = 0; r < turns; ++r) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
  return (double)turns * 4 * 16 * 16 * 32;
#else
  (void)rounds;
  return 0;
#endif
}

/// Multiply-adds of bf16 pairs (vdpbf16ps); 0 where the processor has none.
double peak_bf16(int64_t rounds) {
#ifdef __AVX512BF16__
  __m512 s[SUMS];
  __m512bh x = (__m512bh)_mm512_set1_epi16(0x3f00);
  EACH(s[i] = _mm512_set1_ps((float)i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm512_dpbf16_ps(s[i], x, x))
    __asm__ volatile("" : "+v"(x));
  }
  EACH(sink = _mm512_reduce_add_ps(s[i]))
  return (double)rounds * SUMS * 32;
#else
  (void)rounds;
  return 0;
#endif
}

/// Multiply-adds of int8 (vpdpbusd); 0 where the processor has none.
double peak_int8(int64_t rounds) {
#ifdef __AVX512VNNI__
  __m512i s[SUMS], x = _mm512_set1_epi8(1);
  EACH(s[i] = _mm512_set1_epi32(i))
  for (int64_t r = 0; r < rounds; ++r) {
    EACH(s[i] = _mm512_dpbusd_epi32(s[i], x, x))
    __asm__ volatile("" : "+v"(x));
  }
  EACH(sink = (float)_mm512_reduce_add_epi32(s[i]))
  return (double)rounds * SUMS * 64;
#else
  (void)rounds;
  return 0;
#endif
}

#ifdef __AVX512F__
#define WIDTH 16
#define LOAD _mm512_loadu_ps
#define STORE _mm512_storeu_ps
#define STREAM _mm512_stream_ps
#define ADD _mm512_add_ps
#else
#define WIDTH 8
#define LOAD _mm256_loadu_ps
#define STORE _mm256_storeu_ps
#define STREAM _mm256_stream_ps
#define ADD _mm256_add_ps
#endif

/// out = x + y over n floats, a multiple of 16, aligned to 64 bytes.
void stream_add(float *out, const float *x, const float *y, int64_t n) {
  for (int64_t i = 0; i < n; i += WIDTH)
    STORE(out + i, ADD(LOAD(x + i), LOAD(y + i)));
}

/// The same with stores that pass by the caches.
void stream_add_past(float *out, const float *x, const float *y, int64_t n) {
  for (int64_t i = 0; i < n; i += WIDTH)
    STREAM(out + i, ADD(LOAD(x + i), LOAD(y + i)));
  _mm_sfence();
}

void stream_copy(float *out, const float *x, int64_t n) { memcpy(out, x, (size_t)n * sizeof(float)); }
