#pragma once

/// CUDA's vector types, with CUDA's sizes and alignments.

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(const struct uint3& v);
};

#define MOTE_EMULATED_VECTORS(name, T, align2, align4)   \
  struct alignas(align2) name##2 {                       \
    T x, y;                                              \
  };                                                     \
  struct name##3 {                                       \
    T x, y, z;                                           \
  };                                                     \
  struct alignas(align4) name##4 {                       \
    T x, y, z, w;                                        \
  };                                                     \
  constexpr name##2 make_##name##2(T x, T y) {           \
    return {x, y};                                       \
  }                                                      \
  constexpr name##3 make_##name##3(T x, T y, T z) {      \
    return {x, y, z};                                    \
  }                                                      \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { \
    return {x, y, z, w};                                 \
  }

MOTE_EMULATED_VECTORS(float, float, 8, 16)
MOTE_EMULATED_VECTORS(double, double, 16, 16)
MOTE_EMULATED_VECTORS(int, int, 8, 16)
MOTE_EMULATED_VECTORS(uint, unsigned, 8, 16)
MOTE_EMULATED_VECTORS(longlong, long long, 16, 16)
MOTE_EMULATED_VECTORS(ulonglong, unsigned long long, 16, 16)
MOTE_EMULATED_VECTORS(ushort, unsigned short, 4, 8)
MOTE_EMULATED_VECTORS(uchar, unsigned char, 2, 4)
#undef MOTE_EMULATED_VECTORS

constexpr dim3::dim3(const uint3& v) : x(v.x), y(v.y), z(v.z) {}
