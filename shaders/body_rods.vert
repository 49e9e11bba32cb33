#version 450 core
// The half of a rod (an instance) from one of its bodies to the middle, as a tube.

layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly restrict buffer Scalars { float scalars[]; };
layout(std430, binding = 2) readonly restrict buffer Radii { float radii[]; };  // if own_radii
struct Rod { uint a, b; float size; };
layout(std430, binding = 3) readonly restrict buffer Rods { Rod rods[]; };

uniform mat4 view;        // in units in which the near plane is at 1e-3
uniform mat4 projection;
uniform float near;       // distance of the near plane; 0: a parallel view, as the lamp has
uniform vec4 clip;        // in the camera's axes and these units
uniform bool own_radii;
uniform float radius;     // of spheres, in these units; with own_radii a factor to them
uniform float least;      // smallest radius, relative to the distance; a length in a parallel view
uniform vec3 period;      // world lengths; 0: none
uniform int sides;
uniform float scalar_low;
uniform float scalar_scale;  // 1 / (high - low); 0: the middle colour

out vec3 place, normal;  // in the camera's axes
out float shade;         // of the map, 0 to 1

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

vec3 body(uint k) { return vec3(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]); }

void main() {
  Rod rod = rods[gl_InstanceID >> 1];
  bool second = (gl_InstanceID & 1) == 1;
  uint from = second ? rod.b : rod.a, to = second ? rod.a : rod.b;
  vec3 way = body(to) - body(from);
  for (int axis = 0; axis < 3; ++axis)
    if (period[axis] > 0) way[axis] -= period[axis] * round(way[axis] / period[axis]);
  vec3 start = (view * vec4(body(from), 1)).xyz, along = mat3(view) * way;
  float size = length(along);
  vec3 ahead = size > 0 ? along / size : vec3(0, 0, 1);
  vec3 right = normalize(abs(ahead.y) < 0.9 ? cross(ahead, vec3(0, 1, 0)) : cross(ahead, vec3(1, 0, 0)));
  float angle = 6.2831853 * float((gl_VertexID >> 1) % sides) / float(sides);
  normal = cos(angle) * right + sin(angle) * cross(right, ahead);
  vec3 end = start + ((gl_VertexID & 1) == 1 ? 0.5 : 0.0) * along;
  float reach = max(rod.size * radius * (own_radii ? abs(radii[from]) : 1), near == 0 ? least : least * -end.z);
  place = end + reach * normal;
  shade = !finite(scalars[from]) ? 0 : clamp((scalars[from] - scalar_low) * scalar_scale, 0, 1);
  if (scalar_scale == 0) shade = 0.5;
  gl_Position = projection * vec4(place, 1);
  if (near > 0) gl_Position.z = 2 * near - gl_Position.w;  // depth is near / distance
  gl_ClipDistance[0] = dot(clip, vec4(place, 1));
  if (own_radii && radii[from] == 0) gl_Position = vec4(2, 2, 2, 1);  // of a hidden body
}
