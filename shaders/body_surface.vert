#version 450 core
// A corner of a surface through bodies.

layout(location = 0) in vec3 position;
layout(location = 1) in float scalar;
layout(location = 2) in vec3 direction;
layout(location = 3) in float size;  // 0: of a hidden body

uniform mat4 view;        // in units in which the near plane is at 1e-3
uniform mat4 projection;
uniform float near;       // distance of the near plane; 0: a parallel view, as the lamp has
uniform vec4 clip;        // in the camera's axes and these units
uniform float scalar_low;
uniform float scalar_scale;  // 1 / (high - low); 0: the middle colour

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

out vec3 place, normal;  // in the camera's axes
out float shade;         // of the map, 0 to 1

void main() {
  place = (view * vec4(position, 1)).xyz;
  normal = mat3(view) * direction;
  shade = !finite(scalar) ? 0 : clamp((scalar - scalar_low) * scalar_scale, 0, 1);
  if (scalar_scale == 0) shade = 0.5;
  gl_Position = projection * vec4(place, 1);
  if (near > 0) gl_Position.z = 2 * near - gl_Position.w;  // depth is near / distance
  // Cuts triangles with a hidden corner away, up to their other corners.
  gl_ClipDistance[0] = size == 0 ? -1e30 : dot(clip, vec4(place, 1));
}
