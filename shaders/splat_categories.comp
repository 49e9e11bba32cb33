#version 450 core
// Marks the integers from 0 to 255 that occur as scalars: one bit each.

layout(local_size_x = 128) in;
layout(std430, binding = 1) readonly restrict buffer Scalars { float scalars[]; };
layout(std430, binding = 2) restrict buffer Found { uint found[8]; };

uniform uint count;

shared uint bits[8];

void main() {
  uint me = gl_LocalInvocationIndex;
  if (me < 8u) bits[me] = 0u;
  barrier();
  for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    float scalar = scalars[i];
    if (!(scalar >= 0 && scalar <= 255)) continue;
    uint number = uint(scalar), bit = 1u << (number & 31u);
    // The bit is nearly always set: reading is cheaper than an atomic.
    if (float(number) == scalar && (bits[number >> 5] & bit) == 0u) atomicOr(bits[number >> 5], bit);
  }
  barrier();
  if (me < 8u && bits[me] != 0u) atomicOr(found[me], bits[me]);
}
