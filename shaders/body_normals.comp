#version 450 core
// Normals of surfaces at their vertices, which are bodies: those of the adjacent triangles,
// weighted by area, summed in the order of the lists.

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly restrict buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly restrict buffer Vertices { uint vertices[]; };
// of each vertex in `corners`; the end follows
layout(std430, binding = 2) readonly restrict buffer Starts { uint starts[]; };
// the other corners of a triangle, counter-clockwise
layout(std430, binding = 3) readonly restrict buffer Corners { uvec2 corners[]; };
layout(std430, binding = 4) writeonly restrict buffer Normals { float normals[]; };

uniform uint count;  // of vertices
uniform float unit;  // of lengths, so that squares of them are finite

vec3 place(uint body) { return unit * vec3(positions[3 * body], positions[3 * body + 1], positions[3 * body + 2]); }

void main() {
  uint k = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
  if (k >= count) return;
  uint body = vertices[k];
  vec3 here = place(body), sum = vec3(0);
  for (uint c = starts[k]; c < starts[k + 1]; ++c)
    sum += cross(place(corners[c].x) - here, place(corners[c].y) - here);
  float size = length(sum);
  vec3 normal = size > 0 ? sum / size : vec3(0, 0, 1);
  for (int axis = 0; axis < 3; ++axis) normals[3 * body + axis] = normal[axis];
}
