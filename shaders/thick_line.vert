#version 450 core
// Lines of constant width on screen; linked with shaders that draw lines. Vertices come in pairs
// left and right of the line. All computations are homogeneous and so valid for ends behind the
// viewer too.

uniform vec2 viewport;     // pixels
uniform float half_width;  // pixels

// Tests the bits, because compilers may assume that isnan is never true.
bool finite(float x) { return (floatBitsToUint(x) & 0x7f800000u) != 0x7f800000u; }

bool finite(vec4 v) { return finite(v.x) && finite(v.y) && finite(v.z) && finite(v.w); }

// Screen direction of a line from a to b; 0 if they coincide.
vec2 direction(vec4 a, vec4 b) {
  // Any positive factor works; this one avoids overflow of products.
  vec3 p = a.xyw / max(max(abs(a.x), abs(a.y)), abs(a.w)), q = b.xyw / max(max(abs(b.x), abs(b.y)), abs(b.w));
  vec2 way = q.xy * p.z - p.xy * q.z;
  if (dot(way, way) < 1e-12) return vec2(0);
  return normalize(way * viewport);
}

// A vertex on one side (-1 or 1) of `here`, half a pixel beyond the line's edge.
vec4 widened(vec4 before, vec4 here, vec4 after, float side) {
  vec2 from = direction(before, here), to = direction(here, after);
  vec2 one = from == vec2(0) ? to : from;
  if (one == vec2(0)) one = vec2(1, 0);
  vec2 along = from + to;
  along = dot(along, along) < 1e-6 ? one : normalize(along);
  float longer = 1 / max(dot(along, one), 0.4);  // longer at bends (miter), limited at sharp ones
  vec2 shift = side * (half_width + 0.5) * longer * vec2(-along.y, along.x);
  return here + vec4(shift * 2 / viewport * here.w, 0, 0);
}

// Distance of that vertex from the line's centre in pixels, times its w to stay linear on screen.
float across_of(vec4 here, float side) { return side * (half_width + 0.5) * here.w; }
