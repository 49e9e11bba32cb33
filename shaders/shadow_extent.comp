#version 450 core
// The extent of the spheres in a picture, in the axes of the lamp: least and greatest coordinates,
// as integers in the order of the numbers, whose minimum does not depend on the order in which they
// come.

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly restrict buffer Radii { float radii[]; };  // if `sized`
layout(std430, binding = 2) restrict buffer Extent { int extent[6]; };  // least x, y, z; greatest

uniform uint count;
uniform mat4 view;        // in units in which the near plane is at 1e-3
uniform mat4 lamp_axes;   // from the camera's
uniform vec4 lens;        // of the projection: scale of x and y, shift of x and y
uniform float around;     // half of the picture's sides in which spheres count, 1: the picture
uniform bool sized;
uniform float radius;     // of spheres of size 1

shared int low[3], high[3];

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

int in_order(float x) {
  int bits = floatBitsToInt(x);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}

void main() {
  uint i = gl_GlobalInvocationID.x, k = gl_LocalInvocationID.x;
  if (k < 3) low[k] = 0x7fffffff, high[k] = -0x7fffffff;
  barrier();
  if (i < count) {
    vec3 center = (view * vec4(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2], 1)).xyz;
    float size = 1;
    if (sized) size = abs(radii[i]);
    float reach = radius * size, away = -center.z;
    bool seen = size > 0 && finite(center.x) && finite(center.y) && finite(center.z) && away > 0;
    vec2 beyond = abs(center.xy * lens.xy - lens.zw * away) - reach * lens.xy;
    if (seen && all(lessThanEqual(beyond, vec2(around * away)))) {
      vec3 at = mat3(lamp_axes) * center;
      for (int axis = 0; axis < 3; ++axis) {
        atomicMin(low[axis], in_order(at[axis] - reach));
        atomicMax(high[axis], in_order(at[axis] + reach));
      }
    }
  }
  barrier();
  if (k < 3) {
    atomicMin(extent[k], low[k]);
    atomicMax(extent[k + 3], high[k]);
  }
}
