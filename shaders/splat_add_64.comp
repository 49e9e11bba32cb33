#version 450 core
#extension GL_NV_gpu_shader5 : require
#extension GL_NV_shader_atomic_int64 : require
// As splat_add.comp, with one atomic a point: neither half overflows, so nothing is carried into the upper one.
// Of 64 bits there are atomics only beside the types of NV_gpu_shader5, not those of ARB_gpu_shader_int64.

layout(std430, binding = 3) restrict buffer Sums { uint64_t sums[]; };  // of a pixel: units << 32 | units times t

void add(uint pixel, uint units, uint units_t) { atomicAdd(sums[pixel], (uint64_t(units) << 32) | uint64_t(units_t)); }
