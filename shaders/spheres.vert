#version 450 core
// Draws a sphere (an instance) as a square that faces the viewer and just covers it.

layout(location = 0) in vec3 position;
layout(location = 1) in float scalar;
layout(location = 2) in float size;
layout(location = 3) in float shown;  // 0: not drawn

uniform mat4 view;           // in units in which the near plane is at 1e-3
uniform mat4 projection;
uniform bool without_walls;  // skips those of size < 0
uniform bool without_fluid;  // skips those of size > 0
uniform float radius;        // of spheres of size 1
uniform float least;         // smallest radius, relative to the distance; a length in a parallel view
uniform float near;          // distance of the near plane; 0: a parallel view, as the lamp has

flat out vec3 center;
flat out float reach;
flat out vec3 body_color;

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

bool finite(vec3 v) { return finite(v.x) && finite(v.y) && finite(v.z); }

vec3 color_of_body(float scalar);  // in body_color.vert

void main() {
  center = (view * vec4(position, 1)).xyz;
  reach = max(radius * abs(size), near == 0 ? least : least * -center.z);
  float away = length(center);
  float nearest = -center.z - reach;
  // A sphere around the viewer is not drawn.
  bool left_out = shown == 0 || size == 0 || (without_walls && size < 0) || (without_fluid && size > 0);
  if (left_out || !finite(center) || (near > 0 && (-center.z + reach < near || away <= reach))) {
    gl_Position = vec4(2, 2, 2, 1);
    return;
  }
  vec2 sides = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID & 2) - 1);
  body_color = color_of_body(scalar);
  if (near == 0) {
    gl_Position = projection * vec4(center + reach * vec3(sides, 1), 1);
    return;
  }
  vec3 ahead = center / away;
  vec3 right = normalize(abs(ahead.y) < 0.99 ? cross(ahead, vec3(0, 1, 0)) : cross(ahead, vec3(1, 0, 0)));
  vec3 up = cross(right, ahead);
  // Where the cone of sight tangent to the sphere meets the plane through its centre.
  float side = 1.02 * reach / sqrt(max(1 - reach * reach / (away * away), 1e-4));
  vec2 corner = sides * side;
  gl_Position = projection * vec4(center + right * corner.x + up * corner.y, 1);
  // Depth is the nearness of the sphere's nearest point, so that hidden spheres are culled early.
  float nearness = near / max(nearest, near);
  gl_Position.z = (2 * nearness - 1) * gl_Position.w;
}
