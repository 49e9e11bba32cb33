#version 450 core
#extension GL_NV_gpu_shader5 : require
#extension GL_NV_shader_atomic_int64 : require
// Like splat_add.comp, with one atomic per point: the lower half never overflows, so nothing
// carries into the upper one. 64-bit atomics require the types of NV_gpu_shader5, not those of
// ARB_gpu_shader_int64.

// per pixel: units << 32 | units times t
layout(std430, binding = 3) restrict buffer Sums { uint64_t sums[]; };

void add(uint pixel, uint units, uint units_t) { atomicAdd(sums[pixel], (uint64_t(units) << 32) | uint64_t(units_t)); }
