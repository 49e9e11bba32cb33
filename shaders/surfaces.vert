#version 450 core
// A corner of a translucent surface.

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;

uniform mat4 placed;      // to the camera, in units in which the near plane is at 1e-3
uniform mat4 projection;
uniform float near;       // distance of the near plane
uniform vec4 clip;        // in the camera's axes and these units

out vec3 place, normal;  // in the camera's axes

void main() {
  place = (placed * vec4(position, 1)).xyz;
  normal = mat3(placed) * direction;
  gl_Position = projection * vec4(place, 1);
  gl_Position.z = 2 * near - gl_Position.w;  // depth is near / distance
  gl_ClipDistance[0] = dot(clip, vec4(place, 1));
}
