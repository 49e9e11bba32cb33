#version 450 core
// Weights and radii of points from the looks of their kinds.

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer Kinds { uint kinds[]; };  // 4 in each
layout(std430, binding = 1) readonly restrict buffer Looks { vec2 looks[]; };  // brightness, size
layout(std430, binding = 2) readonly buffer OwnWeights { float own_weights[]; };
layout(std430, binding = 3) readonly buffer OwnRadii { float own_radii[]; };
layout(std430, binding = 4) writeonly buffer Weights { float weights[]; };
layout(std430, binding = 5) writeonly buffer Radii { float radii[]; };

uniform uint count;
uniform bool weighted, sized;  // points have weights and radii of their own
uniform float radius;          // of those that have none

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  vec2 look = looks[kinds[i >> 2] >> 8 * (i & 3u) & 0xffu];
  // Points without a finite weight, and spheres without a radius, are not drawn.
  weights[i] = look.y == 0 ? uintBitsToFloat(0x7fc00000u) : look.x * (weighted ? own_weights[i] : 1);
  radii[i] = look.y * (sized ? own_radii[i] : radius);
}
