#pragma once

#include <emulated/execution.h>

#include <math.h>
#include <bit>
#include <cstdint>

/// Coordinates, barriers of a block, bits, loads and stores, and arithmetic that the host's
/// <math.h> lacks.

/// Of the running thread. Variables rather than macros, because cudaLaunchConfig_t has members of
/// these names.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
/// As in CUDA, not a constant expression.
extern const int warpSize;

inline void __syncthreads() {
  emulator::sync_block(emulator::Operation::sync_block, false);
}
inline int __syncthreads_or(int predicate) {
  return emulator::sync_block(emulator::Operation::sync_block_or, predicate != 0).true_count != 0;
}
inline int __syncthreads_and(int predicate) {
  const emulator::BlockVote vote =
      emulator::sync_block(emulator::Operation::sync_block_and, predicate != 0);
  return vote.true_count == vote.threads;
}
inline int __syncthreads_count(int predicate) {
  return emulator::sync_block(emulator::Operation::sync_block_count, predicate != 0).true_count;
}

// Threads take turns on one host thread: each sees the writes of the others in order.
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __nanosleep(unsigned) {
  emulator::yield();
}
inline void __trap() {
  emulator::fail("a kernel called __trap()");
}

inline int __popc(unsigned x) {
  return std::popcount(x);
}
inline int __popcll(unsigned long long x) {
  return std::popcount(x);
}
inline int __ffs(int x) {
  return __builtin_ffs(x);
}
inline int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
inline int __clz(int x) {
  return std::countl_zero(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
  return std::countl_zero(static_cast<unsigned long long>(x));
}
inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1U) << (31 - i);
  return reversed;
}

template <class T>
T __ldg(const T* address) {
  return *address;
}
// Spin loops that wait for another block use loads that bypass the L1 cache.
template <class T>
T __ldcg(const T* address) {
  emulator::poll();
  return *address;
}
template <class T>
T __ldca(const T* address) {
  return *address;
}
template <class T>
T __ldcs(const T* address) {
  return *address;
}
template <class T>
void __stcg(T* address, T value) {
  *address = value;
}
template <class T>
void __stcs(T* address, T value) {
  *address = value;
}

inline unsigned __float_as_uint(float x) {
  return std::bit_cast<unsigned>(x);
}
inline float __uint_as_float(unsigned x) {
  return std::bit_cast<float>(x);
}
inline int __float_as_int(float x) {
  return std::bit_cast<int>(x);
}
inline float __int_as_float(int x) {
  return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
  return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return std::bit_cast<double>(x);
}

/// Rounded twice: within 1 ULP, where the device guarantees 2.
inline float rsqrtf(float x) {
  return 1.0F / sqrtf(x);
}
inline double rsqrt(double x) {
  return 1.0 / sqrt(x);
}
inline float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}

// Each of these rounds once. Kernels must be compiled with -ffp-contract=off.
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline float __fsub_rn(float a, float b) {
  return a - b;
}
inline float __fmul_rn(float a, float b) {
  return a * b;
}
inline float __fdiv_rn(float a, float b) {
  return a / b;
}
inline float __fsqrt_rn(float a) {
  return sqrtf(a);
}
inline float __fmaf_rn(float a, float b, float c) {
  return fmaf(a, b, c);
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}
inline double __dsub_rn(double a, double b) {
  return a - b;
}
inline double __dmul_rn(double a, double b) {
  return a * b;
}
inline double __ddiv_rn(double a, double b) {
  return a / b;
}
inline double __dsqrt_rn(double a) {
  return sqrt(a);
}
inline double __fma_rn(double a, double b, double c) {
  return fma(a, b, c);
}

#define MOTE_EMULATED_MIN_MAX(T) \
  constexpr T min(T a, T b) {    \
    return b < a ? b : a;        \
  }                              \
  constexpr T max(T a, T b) {    \
    return a < b ? b : a;        \
  }
MOTE_EMULATED_MIN_MAX(int)
MOTE_EMULATED_MIN_MAX(unsigned)
MOTE_EMULATED_MIN_MAX(long)
MOTE_EMULATED_MIN_MAX(unsigned long)
MOTE_EMULATED_MIN_MAX(long long)
MOTE_EMULATED_MIN_MAX(unsigned long long)
#undef MOTE_EMULATED_MIN_MAX
inline float min(float a, float b) {
  return fminf(a, b);
}
inline float max(float a, float b) {
  return fmaxf(a, b);
}
inline double min(double a, double b) {
  return fmin(a, b);
}
inline double max(double a, double b) {
  return fmax(a, b);
}
