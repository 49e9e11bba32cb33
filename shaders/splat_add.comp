#version 450 core
// Two atomics per point: one for each sum of a pixel.

// per pixel: units times t, units
layout(std430, binding = 3) restrict buffer Sums { uint sums[]; };

void add(uint pixel, uint units, uint units_t) {
  atomicAdd(sums[2u * pixel + 1u], units);
  atomicAdd(sums[2u * pixel], units_t);
}
