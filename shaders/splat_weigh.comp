#version 450 core
// Sums the weights for splat_deposit.comp and derives the units of a weight of 1: the power of two
// for which all points together have less than 2^31 units. Rounding up adds less than one unit per
// point, far from the other half of 32 bits. Summed in a fixed order, so that pictures are
// reproducible.

layout(local_size_x = 256) in;
layout(std430, binding = 2) readonly restrict buffer Weights { float weights[]; };
layout(std430, binding = 4) restrict buffer Scale {
  float units_of_one;
  float part[256];  // sums of the groups of the first stage
};

uniform uint count;
uniform float weight_floor;
uniform bool last;  // false: 256 groups sum weights; true: one group sums their results

shared float sums[256];

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

float counted(uint i, float weight) {
  return i < count && finite(weight) ? max(max(weight, weight_floor), 0) : 0;
}

void main() {
  uint me = gl_LocalInvocationIndex;
  float sum = last ? part[me] : 0;
  if (!last)
    // Four at a time, to overlap their loads.
    for (uint i = gl_GlobalInvocationID.x; i < count; i += 4u * 65536u) {
      uvec4 k = i + 65536u * uvec4(0u, 1u, 2u, 3u), there = min(k, uvec4(count - 1u));
      vec4 four = vec4(weights[there.x], weights[there.y], weights[there.z], weights[there.w]);
      sum += counted(k.x, four.x) + counted(k.y, four.y) + counted(k.z, four.z) + counted(k.w, four.w);
    }
  sums[me] = sum;
  barrier();
  for (uint half_size = 128u; half_size > 0u; half_size /= 2u) {
    if (me < half_size) sums[me] += sums[me + half_size];
    barrier();
  }
  if (me != 0u) return;
  if (!last) {
    part[gl_WorkGroupID.x] = sums[0];
    return;
  }
  // Relative round-off in a sum of up to 2^25 floats in this order is below 600 * 2^-24.
  float bound = sums[0] * 1.001;
  int exponent = int(floatBitsToUint(bound) >> 23) - 126;  // bound < 2^exponent
  units_of_one = finite(bound) && bound > 0 ? ldexp(1.0, clamp(31 - exponent, -120, 120)) : 0;
}
