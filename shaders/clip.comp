#version 450 core
// Weights of points, not finite behind a plane: such points are not drawn.

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly buffer OwnWeights { float own_weights[]; };
layout(std430, binding = 2) writeonly buffer Weights { float weights[]; };

uniform uint count;
uniform bool weighted;  // points have weights of their own
uniform vec4 clip;

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= count) return;
  vec4 place = vec4(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], 1);
  float weight = 1;
  if (weighted) weight = own_weights[i];
  weights[i] = dot(clip, place) >= 0 ? weight : uintBitsToFloat(0x7fc00000u);
}
