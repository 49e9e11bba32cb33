#version 450 core
// Two vertices per point of a polyline, or six per separate segment of two points.

layout(std430, binding = 0) readonly restrict buffer Points { float points[]; };

uniform mat4 clip_from_world;
uniform int first, count;  // of the line's points in the buffer
uniform bool closed;       // the last point is connected to the first
uniform bool apart;
uniform vec4 clip;         // in the axes of the world

out float across;

// In thick_line.vert.
vec4 widened(vec4 before, vec4 here, vec4 after, float side);
float across_of(vec4 here, float side);

vec4 point(int k) {
  k = closed ? (k + count) % count : clamp(k, 0, count - 1);
  int at = 3 * (first + k);
  return vec4(points[at], points[at + 1], points[at + 2], 1);
}

vec4 clip_of(int k) { return clip_from_world * point(k); }

void main() {
  int k = gl_VertexID >> 1, before = k - 1, after = k + 1;
  float side = (gl_VertexID & 1) == 0 ? -1 : 1;
  if (apart) {
    // Two triangles: left and right of the first point, left of the second; and left of the second,
    // right of the first, right of the second.
    int corner = gl_VertexID % 6;
    before = gl_VertexID / 6 * 2, after = before + 1;
    k = corner == 2 || corner == 3 || corner == 5 ? after : before;
    side = corner == 0 || corner == 2 || corner == 3 ? -1 : 1;
  }
  vec4 here = clip_of(k);
  gl_Position = widened(clip_of(before), here, clip_of(after), side);
  across = across_of(here, side);
  gl_ClipDistance[0] = dot(clip, point(k));
}
