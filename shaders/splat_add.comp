#version 450 core
// Two atomics a point: one for each sum of a pixel.

layout(std430, binding = 3) restrict buffer Sums { uint sums[]; };  // of a pixel: units times t, units

void add(uint pixel, uint units, uint units_t) {
  atomicAdd(sums[2u * pixel + 1u], units);
  atomicAdd(sums[2u * pixel], units_t);
}
