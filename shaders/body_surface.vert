#version 450 core
// A corner of a surface through bodies.

layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly restrict buffer Scalars { float scalars[]; };
layout(std430, binding = 2) readonly restrict buffer Radii { float radii[]; };  // if own_radii; 0: hidden
layout(std430, binding = 3) readonly restrict buffer Triangles { uint corners[]; };  // three bodies each
// index of each body's first entry in `others`; the next element is its end
layout(std430, binding = 4) readonly restrict buffer Starts { uint starts[]; };
// the other corners of the triangles at a body, counter-clockwise
layout(std430, binding = 5) readonly restrict buffer Others { uvec2 others[]; };

uniform mat4 view;        // in units in which the near plane is at 1e-3
uniform mat4 projection;
uniform float near;       // distance of the near plane; 0: a parallel view, as the lamp has
uniform vec4 clip;        // in the camera's axes and these units
uniform float unit;       // from world lengths to these units: squares of these are finite
uniform bool own_radii;
uniform float scalar_low;
uniform float scalar_scale;  // 1 / (high - low); 0: the middle colour

// Surfaces look smooth where triangles meet at less than the first of these angles, and have edges at
// more than the second. Between them the light changes gradually, so that nothing flickers in motion.
const float smooth_cosine = 0.87, edge_cosine = 0.5;  // 30 and 60 degrees

bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

vec3 body(uint k) { return vec3(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]); }

// Of a triangle at a corner, twice its area long.
vec3 normal_at(vec3 corner, uvec2 two) {
  return cross(unit * (body(two.x) - corner), unit * (body(two.y) - corner));
}

// The mean of this triangle and the others at the body, by area and by how nearly they continue it.
vec3 smooth_normal(uint at, vec3 here, vec3 own) {
  vec3 sum = vec3(0);
  for (uint k = starts[at]; k < starts[at + 1]; ++k) {
    vec3 other = normal_at(here, others[k]);
    float sizes = length(own) * length(other), cosine = sizes > 0 ? dot(own, other) / sizes : 1;
    sum += other * smoothstep(edge_cosine, smooth_cosine, cosine);
  }
  float size = length(sum);
  return size > 0 ? sum / size : vec3(0, 0, 1);
}

out vec3 place, normal;  // in the camera's axes
out float shade;         // of the map, 0 to 1

void main() {
  uint corner = uint(gl_VertexID), first = corner - corner % 3, at = corners[corner];
  uvec2 two = uvec2(corners[first + (corner + 1) % 3], corners[first + (corner + 2) % 3]);
  vec3 position = body(at);
  place = (view * vec4(position, 1)).xyz;
  normal = mat3(view) * smooth_normal(at, position, normal_at(position, two));
  shade = !finite(scalars[at]) ? 0 : clamp((scalars[at] - scalar_low) * scalar_scale, 0, 1);
  if (scalar_scale == 0) shade = 0.5;
  gl_Position = projection * vec4(place, 1);
  if (near > 0) gl_Position.z = 2 * near - gl_Position.w;  // depth is near / distance
  // Cuts triangles with a hidden corner away, up to their other corners.
  gl_ClipDistance[0] = own_radii && radii[at] == 0 ? -1e30 : dot(clip, vec4(place, 1));
}
