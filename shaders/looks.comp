#version 450 core
// Weights, radii and scalars of points from the looks of their kinds.

layout(local_size_x = 256) in;
struct Look {
  float brightness, size;  // factors; size 0: not drawn
  float radius;            // of the sphere, in place of the point's own; 0: none
  float color;             // scalar, in place of the point's own; 0: none
};
layout(std430, binding = 0) readonly restrict buffer Kinds { uint kinds[]; };  // 4 in each
layout(std430, binding = 1) readonly restrict buffer Looks { Look looks[]; };
layout(std430, binding = 2) readonly buffer OwnWeights { float own_weights[]; };
layout(std430, binding = 3) readonly buffer OwnRadii { float own_radii[]; };
layout(std430, binding = 4) readonly buffer OwnScalars { float own_scalars[]; };
layout(std430, binding = 5) writeonly buffer Weights { float weights[]; };
layout(std430, binding = 6) writeonly buffer Radii { float radii[]; };
layout(std430, binding = 7) writeonly buffer Scalars { float scalars[]; };

uniform uint count;
uniform bool weighted, sized;  // points have weights and radii of their own
uniform float radius;          // of those that have none

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  Look look = looks[kinds[i >> 2] >> 8 * (i & 3u) & 0xffu];
  // Points without a finite weight, and spheres without a radius, are not drawn.
  weights[i] = look.size == 0 ? uintBitsToFloat(0x7fc00000u) : look.brightness * (weighted ? own_weights[i] : 1);
  radii[i] = look.size * (look.radius > 0 ? look.radius : sized ? own_radii[i] : radius);
  scalars[i] = look.color > 0 ? look.color : own_scalars[i];
}
